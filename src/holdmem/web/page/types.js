// Types of the protocol's messages and of the page's own values, for the type checker; nothing runs here.

/**
 * @typedef {object} SeatState
 * @property {number} seat  counted from the left of the button
 * @property {number} player
 * @property {string} name
 * @property {boolean} you
 * @property {boolean} button
 * @property {string} position
 * @property {number|null} stack  chips behind; null where stacks are unlimited
 * @property {number} bet
 * @property {number} paid
 * @property {boolean} in
 * @property {boolean} acting
 * @property {boolean} all_in
 * @property {(string|null)[]|null} cards
 * @property {string|null} made  name of the made hand, where its cards are visible
 * @property {string[]|null} five  the cards it is made of
 * @property {number|null} net
 * @property {number|null} won  chips taken from the pot, once the hand is over
 * @property {number|null} [equity]
 */

/**
 * @typedef {object} LogEntry
 * @property {string} street
 * @property {number} player
 * @property {string} text
 * @property {"fold"|"check"|"call"|"bet"|"raise"} kind
 * @property {number} amount  chips put in by this action
 * @property {number} to  the player's total on this street
 * @property {boolean} all_in
 */

/**
 * @typedef {object} Turn
 * @property {number} to_call
 * @property {number} min_raise_to
 * @property {number} max_raise_to
 * @property {number} highest
 * @property {number} pot
 */

/**
 * @typedef {object} TableState
 * @property {number} hand
 * @property {string} street
 * @property {string[]} board
 * @property {number} pot
 * @property {{amount: number, players: number[]}[]} pots
 * @property {SeatState[]} seats
 * @property {{player: number, kind: string, amount: number}[]} posts
 * @property {LogEntry[]} log
 * @property {{player: number, amount: number}|null} returned
 * @property {number} big_blind
 * @property {boolean} over
 * @property {boolean} showdown
 * @property {Turn|null} turn
 */

/**
 * @typedef {object} Rate
 * @property {number} mean
 * @property {[number, number]|null} ci95
 * @property {string} unit
 * @property {number} samples
 */

/**
 * @typedef {object} ScoreState
 * @property {number} hands
 * @property {number} total
 * @property {string} unit
 * @property {Rate|null} rate
 * @property {number} pairs
 * @property {Rate|null} duplicate_rate
 * @property {Rate|null} [less_luck]
 */

/**
 * @typedef {object} Tournament
 * @property {string} format
 * @property {number} level
 * @property {number} hands_left
 * @property {number[]} places  the players who are out, first to last
 * @property {boolean} over
 * @property {number|null} place  the person's place, once out or alone
 */

/**
 * @typedef {object} PlayTable
 * @property {string} words
 * @property {boolean} limit
 * @property {number} big_blind
 * @property {string[]} opponents
 * @property {string} adviser
 * @property {string} adviser_name  what the adviser is called
 * @property {string} sitting
 * @property {Tournament|null} tournament
 */

/** @typedef {TableState & {table: PlayTable, score: ScoreState, id?: number}} PlayState */

/**
 * @typedef {object} Options
 * @property {boolean} fourColours
 * @property {boolean} bigBlinds  amounts in big blinds rather than chips
 * @property {boolean} animate
 * @property {boolean} autoDeal
 * @property {boolean} hideFolded  leave the cards of those who folded unseen
 * @property {boolean} statistics  show what opponents did so far at their seats
 * @property {number} pace  milliseconds between two actions
 */

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

export {};
