// Kernels of the exact best response, for graphics cards; `responder.py` compiles and launches them.
//
// Every thread works for itself: none waits for another, and its part of the shared memory is its own. So the
// file also compiles as C++ (`HOST`), with loops in place of threads, and the tests run these very kernels
// without a graphics card.
//
// The responder defines what depends on the betting of a street, or a part of it, as seen from a seat
// (`responder.part_code`):
//   SLOTS        distinct vectors of the opponent's reach: first those of showdowns or the street's end
//   LEAF_SLOTS   how many these are
//   LEAVES       terminals that are showdowns or the street's end; LEAF_SLOT(l) is the slot of each
//   FOLDS        terminals at which somebody folds
//   fold_sums    the opponent's reach at each of these from that in the slots; a fold is what is left of the reach
//                before it
//   OWN          the responder's own actions, all decisions together
//   best_value, same_value   the value of the part from those of its terminals, if the responder maximises and
//                            if it plays the strategy itself
//   JOIN_BEST, JOIN_SAME     how that value joins what other parts of the river's betting have left
//
// Training (`training.py`) has two more ways through the river. With CODES the responder also writes which
// actions it takes, two bits for each of its decisions:
//   best_code                best_value, and the code of the actions
//   join_code                how value and code join what other parts have left
// With ANSWERED the strategy is valued against a player that acts by such codes, in place of probabilities:
//   SLOT_MASK(s), SLOT_WANT(s)   the code leads to a slot if its bits in the mask are those wanted
//   answered_value           same_value, and what each of the strategy's own actions earns
//
// Sizes: `holdings` of the deck, `count` of them left by a full board, `roots` at which a street can begin,
// padded to a multiple of 32. Cards are places in the deck; CARDS of them are left by a full board.

#ifdef HOST
#include <algorithm>
#include <cmath>
#include <cstdint>
struct Index { int x; };
static Index threadIdx, blockIdx, blockDim;
struct int2 { int x, y; };
static float shared_memory[1 << 16];
#define DEVICE static inline
#define MEMBER
#define KERNEL extern "C" void
#define UNROLL
#define COPY_SOON(to, from) (*(to) = *(from))
#define COMMIT()
#define WAIT(copies)
#define ADD(to, value) (*(to) += (value))
using std::max;
using std::min;
typedef int64_t Word;
typedef void (*Kernel)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
// Runs a kernel of up to 17 arguments, each a pointer or a 64-bit number.
extern "C" void launch(Kernel kernel, int grid, int block, const Word* a) {
  blockDim.x = block;
  for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < block; ++threadIdx.x)
      kernel(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16]);
}
#else
#ifdef __CUDACC_RTC__  // compiled at run time, without headers
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned int uint32_t;
#else
#include <cstdint>
#endif
extern __shared__ float shared_memory[];
#define DEVICE __device__ __forceinline__
#define MEMBER __device__ __forceinline__
#define KERNEL extern "C" __global__ void
#define UNROLL _Pragma("unroll")
#define COPY_SOON(to, from)                                                                          \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), \
               "l"(from))
#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT(copies) asm volatile("cp.async.wait_group %0;" ::"n"(copies))
#define ADD(to, value) atomicAdd(to, value)
#endif

// TREE

DEVICE int64_t thread_number() { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }

// A reach and a code of ten bits as one number: the code takes the place of the last digits of the reach.
#define CODE 0x3FFu
DEVICE uint32_t bits_of(float value) {
  union { float real; uint32_t bits; } both;
  both.real = value;
  return both.bits;
}
DEVICE float real_of(uint32_t bits) {
  union { float real; uint32_t bits; } both;
  both.bits = bits;
  return both.real;
}

// ---- Cards ---------------------------------------------------------------------------------------------

#ifdef STRENGTHS
// Strength of each holding on each board of `size` cards, -1 if they share a card; cf. cards/kernels/evaluator.py.
KERNEL strengths(const uint8_t* boards, int64_t size, const uint8_t* cards_of, const int64_t* keys,
                 const int64_t* shifts, const uint16_t* unsuited, const uint16_t* flushes, const int64_t* rule,
                 int32_t* out, int64_t n, int64_t holdings) {
  const int64_t at = thread_number();
  if (at >= n * holdings) return;
  const uint8_t *board = boards + (at / holdings) * size, *hole = cards_of + 2 * (at % holdings);
  int64_t total = rule[0];
  uint32_t ranks[4] = {0, 0, 0, 0};
  bool clash = false;
  for (int k = 0; k < size + 2; ++k) {
    const int card = k < size ? board[k] : hole[k - size];
    clash |= k < size && (card == hole[0] || card == hole[1]);
    total += keys[card];
    ranks[card & 3] |= 1u << (card >> 2);
  }
  if (clash) {
    out[at] = -1;
    return;
  }
  const int64_t flush = total & rule[1];
  if (flush) {
    for (int suit = 0; suit < 4; ++suit)
      if (flush >> (35 + 4 * suit) & 1) out[at] = flushes[ranks[suit]];
    return;
  }
  const int64_t mixed = ((total & 0xFFFFFFFFLL) * rule[2]) & 0xFFFFFFFFLL;
  const int64_t place = (mixed >> rule[3]) & rule[4];
  const int64_t row = (size + 2 - 5) * rule[5] + (mixed >> rule[6]);
  out[at] = unsuited[shifts[row] + place];
}

// Put the holdings of each board in order of strength. An entry has the holding, its two cards as places among
// those that the board leaves, its class, and a mark on the last of each group of equal strength. Where `by_wins`
// is given, the class is by_wins[2 * wins + ties] against the holdings that share no card.
KERNEL arrange(const int32_t* strength, const uint8_t* places_of, const uint8_t* boards, int64_t size,
               const int32_t* by_wins, int32_t* classes, int32_t* won, int2* entries, int64_t n, int64_t holdings,
               int64_t stride) {
  const int64_t at = thread_number();
  if (at >= n * holdings) return;
  const int64_t b = at / holdings, h = at % holdings;
  const int32_t own = strength[at];
  if (own < 0) {
    classes[at] = -1;
    return;
  }
  const int32_t* all = strength + b * holdings;
  const int low = places_of[2 * h], high = places_of[2 * h + 1];
  int weaker = 0, equal = 0, before = 0, wins = 0;
  for (int64_t j = 0; j < holdings; ++j) {
    const int32_t other = all[j];
    if (other < 0) continue;
    const int score = (other < own) + (other <= own);
    weaker += other < own;
    equal += other == own;
    before += other == own && j < h;
    const int one = places_of[2 * j], two = places_of[2 * j + 1];
    if (one != low && one != high && two != low && two != high) wins += score;
  }
  if (by_wins) {
    classes[at] = by_wins[wins];
    won[at] = wins;
  }
  int first = high, second = low;
  for (int k = 0; k < size; ++k) {
    const int card = boards[b * size + k];
    first -= card < high;
    second -= card < low;
  }
  int2 entry;
  entry.x = (int)h | first << 16 | second << 24;
  entry.y = classes[at] | (before == equal - 1) << 30;
  entries[b * stride + weaker + before] = entry;
}

// Class of each holding on boards of four cards by E[HS^2] and E[HS], from the wins on the rivers; cf.
// strength/bucket_cuts.py. Rivers are numbers of boards, with the exchange of suits that leads to them.
KERNEL classes_by_strength(const int32_t* won, const int32_t* river, const int32_t* exchange, const int32_t* moved,
                           const int64_t* outer, int64_t parts, const int64_t* inner, const int64_t* start,
                           const int32_t* strength, int64_t most, int32_t* classes, int64_t n, int64_t rivers,
                           int64_t holdings) {
  const int64_t at = thread_number();
  if (at >= n * holdings) return;
  const int64_t b = at / holdings, h = at % holdings;
  double sum = 0, squares = 0;
  int seen = 0;
  for (int64_t r = 0; r < rivers; ++r) {
    const int64_t board = river[b * rivers + r];
    if (board < 0) continue;
    const int64_t other = board * holdings + moved[exchange[b * rivers + r] * holdings + h];
    if (strength[other] < 0) continue;
    const double wins = won[other];
    sum += wins;
    squares += wins * wins;
    ++seen;
  }
  if (!seen) {
    classes[at] = -1;
    return;
  }
  const int64_t mean = (int64_t)rint(sum / ((double)most * seen) * 65535.0);
  const int64_t square = (int64_t)rint(squares / ((double)most * most * seen) * 65535.0);
  int64_t part = 0, inside = 0;
  while (part < parts && outer[part] < square) ++part;
  const int64_t first = start[part] - part, last = start[part + 1] - part - 1;
  while (first + inside < last && inner[first + inside] < mean) ++inside;
  classes[at] = (int32_t)(start[part] + inside);
}

// ---- Hand types and textures; cf. cbr/features/kernels/hand_types.py --------------------------------------

DEVICE int bits(uint32_t mask) {
  int count = 0;
  for (; mask; mask &= mask - 1) ++count;
  return count;
}
DEVICE int highest(uint32_t mask) {
  int place = -1;
  for (; mask; mask >>= 1) ++place;
  return place;
}
DEVICE int lowest(uint32_t mask) {
  int place = 0;
  while (!(mask >> place & 1)) ++place;
  return place;
}
DEVICE uint32_t with_low_ace(uint32_t ranks) { return ranks << 1 | ranks >> 12; }
DEVICE int best_window(uint32_t ranks) {
  const uint32_t line = with_low_ace(ranks);
  for (int window = 9; window >= 0; --window)
    if ((line >> window & 31) == 31) return window;
  return -1;
}
DEVICE int own_pair(int rank, uint32_t board) {
  const int top = highest(board);
  if (rank > top) return 8;
  if (rank == top) return 7;
  return rank <= lowest(board) ? 5 : 6;
}
DEVICE int made_of_pairs(uint32_t hole, uint32_t board, uint32_t twice, uint32_t board_twice) {
  const int over = bits(hole >> (highest(board) + 1));
  if (!twice) return over;
  const int first = highest(twice);
  const uint32_t rest = twice ^ 1u << first;
  if (!rest) return board_twice ? (over ? 4 : 3) : own_pair(first, board);
  const uint32_t two = 1u << first | 1u << highest(rest), own = two & ~board_twice;
  if (own == two) return 12;
  if (!own) return 9;
  return own_pair(highest(own), board) >= 7 ? 11 : 10;
}
DEVICE int made_flush(uint32_t ranks, uint32_t board) {
  const int on_board = bits(board);
  if (on_board <= 3) return 21;
  if (on_board == 4) return 20;
  return highest(ranks & ~board) > lowest(board) ? 20 : 19;
}
DEVICE int made_straight(int window, uint32_t board) {
  const int missing = 5 - bits(with_low_ace(board) >> window & 31);
  return missing == 0 ? 16 : missing == 1 ? 17 : 18;
}
DEVICE int straight_outs(uint32_t ranks, uint32_t board) {
  int outs = 0;
  for (int rank = 0; rank < 13; ++rank) {
    const uint32_t bit = 1u << rank;
    if (ranks & bit) continue;
    const uint32_t line = with_low_ace(ranks | bit), table = with_low_ace(board | bit);
    for (int window = 0; window < 10; ++window)
      if ((line >> window & 31) == 31 && (table >> window & 31) != 31) {
        ++outs;
        break;
      }
  }
  return outs;
}
DEVICE void count_ranks(const uint8_t* cards, int count, uint32_t* times, uint32_t* suits) {
  for (int k = 0; k < count; ++k) {
    const uint32_t bit = 1u << (cards[k] >> 2);
    times[3] |= times[2] & bit;
    times[2] |= times[1] & bit;
    times[1] |= times[0] & bit;
    times[0] |= bit;
    suits[cards[k] & 3] |= bit;
  }
}
DEVICE int hand_type(const uint8_t* hole, const uint8_t* board, int count) {
  uint32_t table[4] = {0, 0, 0, 0}, table_suits[4] = {0, 0, 0, 0}, all[4], suits[4];
  count_ranks(board, count, table, table_suits);
  for (int k = 0; k < 4; ++k) all[k] = table[k], suits[k] = table_suits[k];
  count_ranks(hole, 2, all, suits);
  const uint32_t hole_ranks = 1u << (hole[0] >> 2) | 1u << (hole[1] >> 2);
  int flush = -1, flush_draw = -1;
  for (int suit = 0; suit < 4; ++suit) {
    if (bits(suits[suit]) >= 5) flush = suit;
    else if (bits(suits[suit]) == 4 && suits[suit] != table_suits[suit]) flush_draw = suit;
  }
  if (flush >= 0 && best_window(suits[flush]) >= 0) return 26 * 5;
  if (all[3]) return (table[3] ? 24 : 25) * 5;
  if (all[2] && bits(all[1]) > 1) {
    const int three = highest(all[2]), two = highest(all[1] ^ 1u << three);
    return ((table[2] >> three & 1) && (table[1] >> two & 1) ? 22 : 23) * 5;
  }
  if (flush >= 0) return made_flush(suits[flush], table_suits[flush]) * 5;
  const int window = best_window(all[0]);
  const int made = window >= 0 ? made_straight(window, table[0])
                   : all[2]    ? (table[2] ? 13 : all[2] & table[1] ? 14 : 15)
                               : made_of_pairs(hole_ranks, table[0], all[1], table[1]);
  if (count == 5) return made * 5;
  const int outs = window < 0 ? straight_outs(all[0], table[0]) : 0;
  return made * 5 + (flush_draw >= 0 ? (outs ? 4 : 3) : min(outs, 2));
}
DEVICE int level(int cards) { return min(max(cards - 2, 0), 2); }
DEVICE int texture(const uint8_t* board, int count) {
  uint32_t times[4] = {0, 0, 0, 0}, suits[4] = {0, 0, 0, 0};
  count_ranks(board, count, times, suits);
  int suited = 0, connected = 0;
  for (int suit = 0; suit < 4; ++suit) suited = max(suited, bits(suits[suit]));
  const uint32_t line = with_low_ace(times[0]);
  for (int window = 0; window < 10; ++window) connected = max(connected, bits(line >> window & 31));
  return 6 * level(suited) + 2 * level(connected) + (times[1] != 0);
}

// Class of each holding by hand type and texture; `place` numbers the hand types that occur on the street.
KERNEL classes_by_hand_type(const uint8_t* boards, int64_t size, const uint8_t* cards_of, const int32_t* place,
                            int32_t* classes, int64_t n, int64_t holdings) {
  const int64_t at = thread_number();
  if (at >= n * holdings) return;
  const uint8_t *board = boards + (at / holdings) * size, *hole = cards_of + 2 * (at % holdings);
  for (int k = 0; k < size; ++k)
    if (board[k] == hole[0] || board[k] == hole[1]) {
      classes[at] = -1;
      return;
    }
  classes[at] = place[hand_type(hole, board, (int)size)] * 18 + texture(board, (int)size);
}

// ---- Streets before the last -----------------------------------------------------------------------------

// Reach of a player where the next street begins: its reach at the root there, times the probability of its
// actions on the way. Boards share the reach of the board before them, `parent`.
KERNEL reach_next(const float* reach, const int32_t* parent, const int32_t* classes, const float* chance,
                  const int32_t* root_of, float* out, int64_t n, int64_t holdings, int64_t roots, int64_t next) {
  const int64_t at = thread_number();
  if (at >= n * holdings * next) return;
  const int64_t to = at % next, h = at / next % holdings, b = at / next / holdings;
  const int32_t kind = classes[b * holdings + h], root = root_of[to];
  out[at] = kind < 0 || root < 0 ? 0 : reach[(parent[b] * holdings + h) * roots + root] * chance[kind * next + to];
}

// Add values of the boards of the next street, each card that can come with the same share. A card stands for
// the board `child` after the exchange of suits `exchange`.
KERNEL gather(const float* values, const int32_t* child, const int32_t* exchange, const uint8_t* card,
              const int32_t* moved, const uint8_t* places_of, const float* share, float* out, int64_t n, int64_t cards,
              int64_t holdings, int64_t roots) {
  const int64_t at = thread_number();
  if (at >= n * holdings * roots) return;
  const int64_t root = at % roots, h = at / roots % holdings, b = at / roots / holdings;
  float sum = 0;
  for (int64_t k = 0; k < cards; ++k) {
    const int64_t from = child[b * cards + k];
    if (from < 0 || places_of[2 * h] == card[b * cards + k] || places_of[2 * h + 1] == card[b * cards + k])
      continue;
    sum += values[(from * holdings + moved[exchange[b * cards + k] * holdings + h]) * roots + root];
  }
  out[at] = *share * sum;
}
#endif

#ifdef STRENGTHS
// The reach of a player that acts by codes on a board, with its code in the last digits.
KERNEL pack(const float* reach, const int32_t* parent, const uint16_t* codes, float* out, int64_t n, int64_t holdings,
            int64_t roots) {
  const int64_t at = thread_number();
  if (at >= n * holdings * roots) return;
  const int64_t place = at % (holdings * roots), b = at / (holdings * roots);
  out[at] = real_of((bits_of(reach[parent[b] * holdings * roots + place]) & ~CODE) | codes[at]);
}

// Add up the reach of a player by class of its holdings: out[class, root]. Entries are those of `river`.
KERNEL reach_of_classes(const int2* entries, int64_t stride, const int32_t* parent, const float* reach,
                        const float* weight, float* out, int64_t count, int64_t n, int64_t holdings, int64_t roots) {
  const int64_t at = thread_number();
  if (at >= n * roots) return;
  const int64_t root = at % roots, b = at / roots;
  const float* from = reach + parent[b] * holdings * roots + root;
  int kind = -1;
  float sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int2 entry = entries[b * stride + i];
    const int found = entry.y & 0x3FFFFFFF;
    if (found != kind && kind >= 0) {
      ADD(out + kind * roots + root, weight[b] * sum);
      sum = 0;
    }
    kind = found;
    sum += from[(entry.x & 0xFFFF) * roots];
  }
  if (kind >= 0) ADD(out + kind * roots + root, weight[b] * sum);
}
#endif

#ifdef STREET
// Reach of the holdings with each card: out[board, card, slot, root].
KERNEL sums_by_card(const float* reach, const int32_t* parent, const int32_t* classes, const float* chance,
                    const int32_t* with_card, int64_t others, float* out, int64_t n, int64_t cards, int64_t holdings,
                    int64_t roots) {
  const int64_t at = thread_number();
  if (at >= n * cards * SLOTS * roots) return;
  const int64_t root = at % roots, slot = at / roots % SLOTS, card = at / roots / SLOTS % cards;
  const int64_t b = at / roots / SLOTS / cards;
  float sum = 0;
  for (int64_t k = 0; k < others; ++k) {
    const int64_t h = with_card[card * others + k];
    const int32_t kind = classes[b * holdings + h];
    if (kind >= 0) sum += reach[(parent[b] * holdings + h) * roots + root] * chance[(kind * SLOTS + slot) * roots + root];
  }
  out[at] = sum;
}

// Values of a street's roots from those where the next street begins, after[board, holding, next root].
KERNEL ascend(const float* reach, const int32_t* parent, const int32_t* classes, const float* chance,
              const float* own, const float* by_card, const uint8_t* places_of, const float* stake,
              const int32_t* onward, const float* after, int64_t maximise, float* out, int64_t n, int64_t cards,
              int64_t holdings, int64_t roots, int64_t next) {
  const int64_t at = thread_number();
  if (at >= n * holdings * roots) return;
  const int64_t root = at % roots, h = at / roots % holdings, b = at / roots / holdings;
  const int32_t kind = classes[b * holdings + h];
  if (kind < 0) {
    out[at] = 0;
    return;
  }
  const float here = reach[(parent[b] * holdings + h) * roots + root];
  float leaf[LEAVES], fold[FOLDS], alone[SLOTS];
  UNROLL for (int s = 0; s < SLOTS; ++s) {
    const float* sums = by_card + (b * cards * SLOTS + s) * roots + root;
    float total = 0;
    for (int64_t card = 0; card < cards; ++card) total += sums[card * SLOTS * roots];
    alone[s] = total / 2 - sums[places_of[2 * h] * SLOTS * roots] - sums[places_of[2 * h + 1] * SLOTS * roots] +
               here * chance[(kind * SLOTS + s) * roots + root];
  }
  fold_sums(alone, fold);
  UNROLL for (int f = 0; f < FOLDS; ++f) fold[f] *= stake[(LEAVES + f) * roots + root];
  UNROLL for (int l = 0; l < LEAVES; ++l) {
    const int32_t to = onward[l * roots + root];
    leaf[l] = to < 0 ? 0 : after[(b * holdings + h) * next + to];
  }
  out[at] = maximise ? best_value(leaf, fold) : same_value(leaf, fold, own + kind * OWN * roots + root, roots);
}
#endif

#ifdef RIVER
// Values of the last street's roots: best[board, holding, root], and `same` if SELF_PLAY.
//
// A thread has one root of one board, and a part of the betting: its sums would not leave room for enough threads
// otherwise. It goes through the holdings in order of strength and keeps, for each card c
// and each slot of a showdown,
//
//     standing[c] = (reach of weaker holdings with c) + (of weaker and equal ones) - (of all)
//
// so that with the same sum over all cards, wins - losses = standing - standing[one card] - standing[other card].
// A group of equal strength is gone through three times: add it, value it, add it once more. Neighbours often
// share their first card, so the sums of that card are held in registers. Reach is copied LEAD entries ahead.
#define THREADS 32
#define RING 16
#define LEAD 8

DEVICE int holding(int2 entry) { return entry.x & 0xFFFF; }
DEVICE int first(int2 entry) { return entry.x >> 16 & 0xFF; }
DEVICE int second(int2 entry) { return entry.x >> 24 & 0xFF; }
DEVICE bool ends_group(int2 entry) { return entry.y >> 30 & 1; }

// A thread's part of the shared memory: for each card the sums of the slots, after them the reach of some entries.
// Places are THREADS apart.
DEVICE float* row_of(int card) { return shared_memory + threadIdx.x + card * (SLOTS * THREADS); }
DEVICE float* ring(int i) { return shared_memory + threadIdx.x + (CARDS * SLOTS + (i & (RING - 1))) * THREADS; }
#define AT(row, place) (row)[(place) * THREADS]

DEVICE int class_of(int2 entry) { return entry.y & 0x3FFFFFFF; }

struct Column {  // what a thread reads: the reach and the shares of one root
  const float *reach, *chance;
  int roots, kind;
  float share[SLOTS];

#ifdef ANSWERED
  MEMBER float look_up(int2 entry, float packed) {
    const uint32_t code = bits_of(packed);
    kind = class_of(entry);
    UNROLL for (int s = 0; s < SLOTS; ++s) share[s] = (code & SLOT_MASK(s)) == SLOT_WANT(s) ? 1.0f : 0.0f;
    return real_of(code & ~CODE);
  }
#else
  MEMBER float look_up(int2 entry, float here) {
    const int found = class_of(entry);
    if (found == kind) return here;
    kind = found;
    const float* from = chance + found * (SLOTS * roots);
    UNROLL for (int s = 0; s < SLOTS; ++s) share[s] = from[s * roots];
    return here;
  }
#endif
  MEMBER const float* of(int2 entry) const { return reach + holding(entry) * roots; }
};

struct Queue {  // the entries in order, with their reach; a few more than there are may be read
  const int2* entries;
  int at;
  int2 next, far;

  MEMBER void begin(const Column& column) {
    for (int i = 0; i < LEAD; ++i) {
      COPY_SOON(ring(i), column.of(entries[i]));
      COMMIT();
    }
    at = 0;
    next = entries[0];
    far = entries[LEAD];
  }
  MEMBER int2 take(const Column& column, float& reach) {
    const int2 entry = next;
    WAIT(LEAD - 1);
    reach = *ring(at);
    COPY_SOON(ring(at + LEAD), column.of(far));
    COMMIT();
    ++at;
    next = entries[at];
    far = entries[at + LEAD];
    return entry;
  }
  MEMBER float again(int i, int2 entry, const Column& column) const {  // of an entry taken before
    return i >= at - (RING - LEAD) ? *ring(i) : *column.of(entry);
  }
};

template <int COUNT>
struct Sums {  // of the first COUNT slots: over all cards, and the sums of one card
  float total[COUNT], held[COUNT];
  int card;

  MEMBER void turn_to(int other) {
    if (other == card) return;
    put_back();
    card = other;
    const float* row = row_of(card);
    UNROLL for (int s = 0; s < COUNT; ++s) held[s] = AT(row, s);
  }
  MEMBER void put_back() {
    float* row = row_of(card);
    if (card >= 0) {
      UNROLL for (int s = 0; s < COUNT; ++s) AT(row, s) = held[s];
    }
    card = -1;
  }
  MEMBER void add(int2 entry, float reach, const Column& column) {
    turn_to(first(entry));
    float *row = row_of(second(entry)), other[COUNT];
    UNROLL for (int s = 0; s < COUNT; ++s) other[s] = AT(row, s);
    UNROLL for (int s = 0; s < COUNT; ++s) {
      const float more = reach * column.share[s];
      total[s] += more;
      held[s] += more;
      AT(row, s) = other[s] + more;
    }
  }
};

#ifdef ANSWERED
// Add what the actions earned with a class of holdings to the sums that all boards share, and begin anew.
DEVICE void hand_over(float* earned, int kind, int64_t roots, float weight, float* sum_of) {
  if (kind < 0) return;
  UNROLL for (int k = 0; k < OWN; ++k) {
    ADD(earned + (kind * OWN + k) * roots, weight * sum_of[k]);
    sum_of[k] = 0;
  }
}
#endif

KERNEL river(const int2* entries, int64_t stride, const int32_t* parent, const float* reach, const float* chance,
             const float* own, const float* stake, float* best, float* same, float* of_all, int64_t entries_per_board,
             int64_t holdings, int64_t all_roots, uint16_t* codes, const float* weight, float* earned) {
  const int roots = (int)all_roots, count = (int)entries_per_board, b = blockIdx.x / (roots / THREADS);
  const int root = blockIdx.x % (roots / THREADS) * THREADS + threadIdx.x;
  Column column = {reach + parent[b] * holdings * all_roots + root, chance + root, roots, -1};
  Queue queue = {entries + b * stride};
  if (best) best += b * holdings * all_roots + root;
  if (same) same += b * holdings * all_roots + root;
#ifdef CODES
  codes += b * holdings * all_roots + root;
#endif
#ifdef ANSWERED
  earned += root;
  float sum_of[OWN], by_action[OWN];
  int summed = -1;
  UNROLL for (int k = 0; k < OWN; ++k) sum_of[k] = 0;
#endif
  of_all += (int64_t)blockIdx.x * (CARDS * SLOTS * THREADS) + threadIdx.x;

  // Less the sums over all holdings, kept for the folds too.
  Sums<SLOTS> all = {{0}, {0}, -1};
  for (int card = 0; card < CARDS; ++card) {
    UNROLL for (int s = 0; s < SLOTS; ++s) AT(row_of(card), s) = 0;
  }
  queue.begin(column);
  while (queue.at < count) {
    float here;
    const int2 entry = queue.take(column, here);
    here = column.look_up(entry, here);
    all.add(entry, -here, column);
  }
  all.put_back();
  for (int card = 0; card < CARDS; ++card) {
    UNROLL for (int s = 0; s < SLOTS; ++s) AT(of_all, card * SLOTS + s) = AT(row_of(card), s);
  }

  Sums<LEAF_SLOTS> sums;
  UNROLL for (int s = 0; s < LEAF_SLOTS; ++s) sums.total[s] = all.total[s];
  sums.card = -1;
  float at_leaf[LEAVES], at_fold[FOLDS];
  UNROLL for (int l = 0; l < LEAVES; ++l) at_leaf[l] = stake[l * roots + root];
  UNROLL for (int f = 0; f < FOLDS; ++f) at_fold[f] = stake[(LEAVES + f) * roots + root];
  queue.begin(column);
  for (int start = 0; start < count; start = queue.at) {
    int2 entry, next;
    float here;
    do {
      entry = queue.take(column, here);
      here = column.look_up(entry, here);
      sums.add(entry, here, column);
    } while (!ends_group(entry));
    sums.put_back();
    int card = -1;
    float level[LEAF_SLOTS], others[SLOTS], ahead[SLOTS];
    next = queue.entries[start];
    UNROLL for (int s = 0; s < SLOTS; ++s) ahead[s] = AT(of_all, second(next) * SLOTS + s);
    for (int i = start; i < queue.at; ++i) {
      entry = next;
      next = queue.entries[i + 1];
      here = column.look_up(entry, queue.again(i, entry, column));
      if (first(entry) != card) {
        card = first(entry);
        const float* row = row_of(card);
        UNROLL for (int s = 0; s < LEAF_SLOTS; ++s) level[s] = sums.total[s] - AT(row, s);
        UNROLL for (int s = 0; s < SLOTS; ++s) others[s] = AT(of_all, card * SLOTS + s) - all.total[s];
      }
      float leaf[LEAVES], fold[FOLDS], alone[SLOTS];
      const float* row = row_of(second(entry));
      UNROLL for (int s = 0; s < SLOTS; ++s) alone[s] = others[s] + ahead[s] + here * column.share[s];
      UNROLL for (int s = 0; s < SLOTS; ++s) ahead[s] = AT(of_all, second(next) * SLOTS + s);
      UNROLL for (int l = 0; l < LEAVES; ++l) leaf[l] = at_leaf[l] * (level[LEAF_SLOT(l)] - AT(row, LEAF_SLOT(l)));
      fold_sums(alone, fold);
      UNROLL for (int f = 0; f < FOLDS; ++f) fold[f] *= at_fold[f];
#ifdef ANSWERED
      if (column.kind != summed) {
        hand_over(earned, summed, roots, weight[b], sum_of);
        summed = column.kind;
      }
      float* to = same + holding(entry) * roots;
      *to = JOIN_SAME(*to, answered_value(leaf, fold, own + column.kind * (OWN * roots) + root, roots, by_action));
      UNROLL for (int k = 0; k < OWN; ++k) sum_of[k] += by_action[k];
#else
      float* to = best + holding(entry) * roots;
#ifdef CODES
      join_code(leaf, fold, to, codes + holding(entry) * roots);
#else
      *to = JOIN_BEST(*to, best_value(leaf, fold));
#endif
#endif
#ifdef SELF_PLAY
      float* also = same + holding(entry) * roots;
      *also = JOIN_SAME(*also, same_value(leaf, fold, own + column.kind * (OWN * roots) + root, roots));
#endif
    }
    next = queue.entries[start];
    for (int i = start; i < queue.at; ++i) {
      entry = next;
      next = queue.entries[i + 1];
      here = column.look_up(entry, queue.again(i, entry, column));
      sums.add(entry, here, column);
    }
    sums.put_back();
  }
#ifdef ANSWERED
  hand_over(earned, summed, roots, weight[b], sum_of);
#endif
}
#endif
