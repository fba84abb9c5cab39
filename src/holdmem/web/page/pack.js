// Several files as one: an archive (tar) put together from them, which the browser reads only when it is sent.

const BLOCK = 512;
const ARCHIVE = /\.(zip|gz|tgz|tar|bz2|xz|7z|rar|parquet)$/i;
const CLUTTER = /^(\..*|thumbs\.db|desktop\.ini)$/i; // what systems leave in folders

/**
 * What is sent for files that were dropped together: archives one by one, everything else as one archive.
 * @param {File[]} files
 * @param {number} largest  bytes that may be sent at once
 * @returns {{name: string, content: Blob}[]}
 */
export function parcels(files, largest) {
  const wanted = files.filter((file) => !CLUTTER.test(file.name));
  const single = wanted.filter((file) => ARCHIVE.test(file.name));
  const plain = wanted.filter((file) => !ARCHIVE.test(file.name));
  const together = plain.length > 1 && plain.reduce((sum, file) => sum + file.size + 2 * BLOCK, 2 * BLOCK) <= largest;
  if (!together) return wanted.map((file) => ({ name: file.name, content: file }));
  const name = `${plain[0].name} and ${plain.length - 1} more`;
  return [{ name, content: archive(plain) }, ...single.map((file) => ({ name: file.name, content: file }))];
}

/**
 * @param {File[]} files
 * @returns {Blob}
 */
export function archive(files) {
  const parts = files.flatMap((file, number) => [header(`${number + 1}-${file.name}`, file.size), file, new Uint8Array(-file.size & (BLOCK - 1))]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

/**
 * The header of a member, as POSIX.1-1988 (ustar) has it.
 * @param {string} name
 * @param {number} size
 */
function header(name, size) {
  const bytes = new Uint8Array(BLOCK);
  const write = (/** @type {number} */ place, /** @type {string} */ text) => bytes.set(new TextEncoder().encode(text), place);
  write(0, name.replace(/[^\w. -]/g, "_").slice(0, 99));
  write(100, "0000600\0" + "0000000\0" + "0000000\0");
  write(124, `${size.toString(8).padStart(11, "0")}\0` + `${"0".repeat(11)}\0` + " ".repeat(8) + "0");
  write(257, "ustar\0" + "00");
  const sum = bytes.reduce((one, other) => one + other, 0);
  write(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return bytes;
}

/**
 * The files that were dropped, also those in folders.
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>}
 */
export async function filesOf(transfer) {
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  const found = await Promise.all(entries.map((entry) => (entry ? below(entry) : [])));
  return found.flat();
}

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function below(entry) {
  if (entry.isFile) return [await new Promise((done, fail) => { /** @type {FileSystemFileEntry} */ (entry).file(done, fail); })];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) { // a browser gives a hundred at a time
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => { reader.readEntries(done, fail); });
    if (!some.length) break;
    for (const one of some) found.push(...await below(one));
  }
  return found;
}
