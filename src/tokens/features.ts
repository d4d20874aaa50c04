/** The rows of Latin words whose letters are also looked up in pairs. */
export const PAIRED_ROWS = ['spaced', 'afterSign', 'bare', 'camel', 'afterDigit', 'mixed', 'upper'] as const
export type PairedRow = (typeof PAIRED_ROWS)[number]

/**
 * Every character of a text belongs to a row and a place in it. Words are told apart by what stands before them and by
 * their script, for that is where tokenizers cut before they look into their vocabulary; the place of a letter is how
 * far into its word it is. The place of everything else is what it follows.
 */
export const ROWS = [
  ...PAIRED_ROWS,
  'accented',
  'accent',
  'vietnamese',
  'cyrillic',
  'otherCyrillic',
  'greek',
  'arabic',
  'hebrew',
  'indic',
  'thai',
  'hangul',
  'katakana',
  'hiragana',
  'han',
  'traditional',
  'otherScript',
  'letterAgain',
  'digit',
  'space',
  'tab',
  'newline',
  'sign',
  'typography',
  'symbol',
  'box',
  'wide',
  'emoji',
  'rest',
] as const
export type Row = (typeof ROWS)[number]
export const PLACES = 8

/** How many numbers `countFeatures` returns: every place of every row, then the sum of the pairs of every paired row. */
export const FEATURES = ROWS.length * PLACES + PAIRED_ROWS.length

/** For two letters, `first * 32 + second` with a = 1: how likely a token ends between them. */
export type Pairs = Float64Array

/** The features of a text, to fit weights on. No number falls when text is appended. */
export function countFeatures(text: string, pairs: Pairs): Float64Array {
  const { next, states, featureOf, pairedRowOf } = theAutomaton()
  const visits = new Float64Array(states)
  const sums = new Float64Array(PAIRED_ROWS.length + 1)
  let state = 0
  let last = -1
  let beforeLast = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    state = next[(state << INPUT_BITS) | againOf(code, last, beforeLast) | (KIND_OF[code] ?? 0)] ?? 0
    visits[state] = (visits[state] ?? 0) + 1
    const row = pairedRowOf[state] ?? 0
    sums[row] = (sums[row] ?? 0) + (pairs[pairOf(last, code)] ?? 0)
    beforeLast = last
    last = code
  }
  const features = new Float64Array(FEATURES)
  for (let index = 0; index < states; index++) {
    const feature = featureOf[index] ?? 0
    features[feature] = (features[feature] ?? 0) + (visits[index] ?? 0)
  }
  features.set(sums.subarray(0, PAIRED_ROWS.length), ROWS.length * PLACES)
  return features
}

/**
 * Returns the function that gives the weighted sum of a text's features, without counting them one by one: every
 * character takes the same few steps, so no text makes it slow.
 */
export function weigherOf(weights: ArrayLike<number>, pairs: Pairs): (text: string) => number {
  const { next, states, featureOf, pairedRowOf } = theAutomaton()
  // One table for all numbers, so that the loop keeps everything in registers: the pairs, then two weights a state.
  const table = new Float64Array(PAIRS + 2 * states)
  table.set(pairs)
  for (let state = 0; state < states; state++) {
    const row = pairedRowOf[state] ?? 0
    table[PAIRS + 2 * state] = weights[featureOf[state] ?? 0] ?? 0
    table[PAIRS + 2 * state + 1] = row < PAIRED_ROWS.length ? (weights[ROWS.length * PLACES + row] ?? 0) : 0
  }
  return (text) => weigh(text, next, table)
}

function weigh(text: string, next: Uint16Array, table: Float64Array): number {
  const kindOf = KIND_OF
  let sum = 0
  let state = 0
  let last = -1
  let beforeLast = -1
  const length = text.length
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    state = next[(state << INPUT_BITS) | againOf(code, last, beforeLast) | (kindOf[code] ?? 0)] ?? 0
    const weight = PAIRS + 2 * state
    sum += (table[weight] ?? 0) + (table[weight + 1] ?? 0) * (table[pairOf(last, code)] ?? 0)
    beforeLast = last
    last = code
  }
  return sum
}

const PAIRS = 32 * 32

function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** The bit of the input for the third and later ones of a run of the same character. A branch would cost half the speed. */
function againOf(code: number, last: number, beforeLast: number): number {
  return ((((code ^ last) | (code ^ beforeLast)) - 1) >>> 31) << KIND_BITS
}

/** What a character is, as far as tokenizers treat it differently. */
const KINDS = [
  'rest',
  'lower',
  'upper',
  'accent',
  'vietnamese',
  'cyrillic',
  'otherCyrillic',
  'greek',
  'arabic',
  'hebrew',
  'indic',
  'thai',
  'hangul',
  'katakana',
  'hiragana',
  'han',
  'traditional',
  'otherScript',
  'digit',
  'space',
  'tab',
  'newline',
  'sign',
  'typography',
  'symbol',
  'box',
  'wide',
  'emoji',
  'lowSurrogate',
] as const
type Kind = (typeof KINDS)[number]
const KIND_BITS = 5
const INPUT_BITS = KIND_BITS + 1

/** First and last code unit. Later ranges win. `otherCyrillic` are letters that Russian does without. */
const RANGES: readonly (readonly [number, number, Kind])[] = [
  [0x00, 0x7f, 'symbol'],
  [0x1b, 0x1b, 'sign'],
  [0x21, 0x7e, 'sign'],
  [0x09, 0x0d, 'tab'],
  [0x0a, 0x0a, 'newline'],
  [0x0d, 0x0d, 'newline'],
  [0x20, 0x20, 'space'],
  [0x30, 0x39, 'digit'],
  [0x41, 0x5a, 'upper'],
  [0x61, 0x7a, 'lower'],
  [0x80, 0xbf, 'symbol'],
  [0xc0, 0x24f, 'accent'],
  [0xd7, 0xd7, 'symbol'],
  [0xf7, 0xf7, 'symbol'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x402, 0x40f, 'otherCyrillic'],
  [0x42a, 0x42a, 'otherCyrillic'],
  [0x44a, 0x44a, 'otherCyrillic'],
  [0x452, 0x52f, 'otherCyrillic'],
  [0x530, 0x58f, 'otherScript'],
  [0x590, 0x5ff, 'hebrew'],
  [0x600, 0x77f, 'arabic'],
  [0x8a0, 0x8ff, 'arabic'],
  [0x900, 0xdff, 'indic'],
  [0xe00, 0xeff, 'thai'],
  [0x1000, 0x17ff, 'otherScript'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1e00, 0x1eff, 'vietnamese'],
  [0x2000, 0x206f, 'typography'],
  [0x2070, 0x2bff, 'symbol'],
  [0x2500, 0x257f, 'box'],
  [0x3000, 0x303f, 'wide'],
  [0x3040, 0x309f, 'hiragana'],
  [0x30a0, 0x30ff, 'katakana'],
  [0x3130, 0x318f, 'hangul'],
  [0x3400, 0x4dbf, 'han'],
  [0x4e00, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xd800, 0xdbff, 'emoji'],
  [0xdc00, 0xdfff, 'lowSurrogate'],
  [0xf900, 0xfaff, 'han'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfeff, 'arabic'],
  [0xfe00, 0xfe0f, 'symbol'],
  [0xff00, 0xffef, 'wide'],
]

/** Frequent characters that only traditional Chinese writes so: vocabularies know fewer of its words. */
const TRADITIONAL =
  '這個們來時說對國會為學開點無與關產業經類別匯檔數參組屬須稱項設將標運選傳構飾請員變編專譯簽碼發態過許從註權轉換應實沒並陳內嗎預間輸啟識當條錯斷處誤確裝記隱結義號靜僅寫環詞單現進錄範舉體該徑複載給語則庫動資執釋區圍擇慮擴檢層監試欄陣餘側報鍵訊狀嘗護種適塊遺讀顯繼尋備遞連強議規視偵卻頭認張測迴併兩協況遠嚴衝較舊階節閱機樣針約線聯刪詢級讓準頂礎疊術驗詳細裡導際減務簡問邊續響鏈決據敗獨製長採維論願證雙織絕擁輯評診遲訂儲統質財違團負隨陰還鎖順蹤雜納閉萬題夠盡極縮異係憲賦見殘罰審獲譽擊奪職兒額邏穩損輕鬆賴達篩緊躍終圖總憶慣掛輪廠風滿綜調觸瀏覽觀臨險壓價銘漸領買賣補辯榮遷離訴締踐禮濟輔醫療廢喪謀親費績優藝創壞話愛聽書電車門馬魚鳥龍東樂飛錢銀鐵歲師戰軍幾億難雖歡漢媽爾紅綠藍黃燈熱麼樹橋歷華隊陽陸雲靈頁顧養飯館黨齊'

const KIND_OF = new Uint8Array(0x10000)
for (const [first, last, kind] of RANGES) KIND_OF.fill(KINDS.indexOf(kind), first, last + 1)
for (let at = 0; at < TRADITIONAL.length; at++) KIND_OF[TRADITIONAL.charCodeAt(at)] = KINDS.indexOf('traditional')

/** Where the automaton is after a character. */
type State = {
  readonly row: Row
  readonly place: number
  /** How many letters the word has so far, or how many characters the run. */
  readonly count: number
  /** How often letters, capitals and digits took turns in short pieces: often means base64, a hash, an identifier. */
  readonly turns: number
  /** The letter was a capital: another one goes on with the word. */
  readonly capital: boolean
}

type Automaton = {
  /** The state after a state and an input. 0 is the state before the first character. */
  readonly next: Uint16Array
  readonly states: number
  readonly featureOf: Uint16Array
  /** The paired row of a letter that follows another one, or the number of paired rows for all else. */
  readonly pairedRowOf: Uint8Array
}

let automaton: Automaton | undefined

/** Built when it is first needed. */
function theAutomaton(): Automaton {
  automaton ??= buildAutomaton()
  return automaton
}

/** All states that can be reached, numbered in the order in which they are found. */
function buildAutomaton(): Automaton {
  const numbers = new Map<number, number>()
  const found: State[] = []
  const numberOf = (state: State) => {
    const key = keyOf(state)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, found.length)
    return found.push(state) - 1
  }
  numberOf(START)
  const next = new Uint16Array(MOST_STATES << INPUT_BITS)
  for (let index = 0; index < found.length; index++) {
    const from = found[index] ?? START
    KINDS.forEach((kind, number) => {
      const once = numberOf(step(from, kind, false))
      const input = (index << INPUT_BITS) | number
      next[input] = once
      next[input | (1 << KIND_BITS)] = REPEATED.has(kind) ? numberOf(step(from, kind, true)) : once
    })
  }
  return {
    next: next.slice(0, found.length << INPUT_BITS),
    states: found.length,
    featureOf: Uint16Array.from(found, ({ row, place }) => ROW_NUMBER[row] * PLACES + place),
    pairedRowOf: Uint8Array.from(found, pairedRow),
  }
}

const MOST_STATES = 1_024

const ROW_NUMBER = Object.fromEntries(ROWS.map((row, number) => [row, number])) as Record<Row, number>

/** The kinds of which the third in a row is something else than the second. */
const REPEATED: ReadonlySet<Kind> = new Set<Kind>(['lower', 'upper', 'sign', 'symbol', 'box'])

function keyOf({ row, place, count, turns, capital }: State): number {
  return (((((ROW_NUMBER[row] << 3) | place) << 5) | count) << 4) | (turns << 1) | Number(capital)
}

function pairedRow({ row, count }: State): number {
  return count === 1 ? PAIRED_ROWS.length : Math.min(ROW_NUMBER[row], PAIRED_ROWS.length)
}

const START = state('newline', 0, 1)

function state(row: Row, place: number, count: number, turns = 0, capital = false): State {
  return { row, place, count, turns, capital }
}

/** The state after one more character. `again`: at least the third of the same. */
function step(from: State, kind: Kind, again: boolean): State {
  switch (kind) {
    case 'lower':
    case 'upper':
      return again && LATIN.has(from.row) ? state('letterAgain', 0, 2) : latin(from, kind === 'upper')
    case 'accent':
    case 'vietnamese':
      return letter(kind, LATIN.has(from.row) ? from.count + 1 : 1)
    case 'digit':
      return digit(from)
    case 'space':
      return run(from, 'space', [1, 2, 16])
    case 'newline':
      return newline(from)
    case 'sign':
      return sign(from, again)
    case 'symbol':
    case 'box':
      return again ? state(kind, 2, 2) : run(from, kind, [1])
    case 'lowSurrogate':
      // The second half of a character, or a half without the other.
      return from.row === 'emoji' ? { ...from, place: 2 } : run(from, 'rest', [1])
    case 'tab':
    case 'typography':
    case 'wide':
    case 'emoji':
    case 'rest':
      return run(from, kind, [1])
    case 'han':
    case 'traditional':
      return letter(kind, HAN.has(from.row) ? from.count + 1 : 1)
    case 'cyrillic':
    case 'otherCyrillic':
      return letter(kind, CYRILLIC.has(from.row) ? from.count + 1 : 1)
    default:
      return letter(kind, from.row === kind ? from.count + 1 : 1)
  }
}

const LATIN: ReadonlySet<Row> = new Set<Row>([...PAIRED_ROWS, 'accented', 'accent', 'vietnamese', 'letterAgain'])
const CYRILLIC: ReadonlySet<Row> = new Set(['cyrillic', 'otherCyrillic'])
const HAN: ReadonlySet<Row> = new Set(['han', 'traditional'])

/** The place of a letter: the first to the fourth one by one, then 5 to 6, 7 to 8, 9 to 12 and all after. */
const PLACE_OF_LETTER = [0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7]

function letter(row: Row, length: number, turns = 0, capital = false): State {
  const count = Math.min(length, LATIN.has(row) ? PLACE_OF_LETTER.length - 1 : LONGEST_OF_SCRIPT)
  return state(row, PLACE_OF_LETTER[count] ?? 0, count, turns, capital)
}

/** Text of other scripts is less various: the fifth letter is like all after it. */
const LONGEST_OF_SCRIPT = 5

/** From this many turns on a word is part of something that no vocabulary holds. */
const MIXED_TURNS = 3
const SHORT_PIECE = 4

function latin(from: State, capital: boolean): State {
  const within = LATIN.has(from.row)
  if (within && (!capital || from.capital)) return letter(rowWithin(from, capital), from.count + 1, from.turns, capital)
  if (!within && from.row !== 'digit') return letter(rowAfter(from), 1, 0, capital)
  const turns = turn(from)
  return letter(turns === MIXED_TURNS ? 'mixed' : capital ? 'camel' : 'afterDigit', 1, turns, capital)
}

/** Two capitals in a row, or an accent, make another kind of word from there on. */
function rowWithin({ row }: State, capital: boolean): Row {
  if (row === 'accent' || row === 'vietnamese') return 'accented'
  if (row === 'letterAgain') return 'bare'
  return capital && row !== 'mixed' && row !== 'accented' ? 'upper' : row
}

function rowAfter({ row, place, count }: State): Row {
  if (row === 'space') return 'spaced'
  // One sign joins the word behind it, unless it has joined a space already.
  const joins = row === 'sign' ? count === 1 && place !== SIGN_AFTER_SPACE : row === 'tab' || row === 'typography'
  return joins ? 'afterSign' : 'bare'
}

function turn({ row, count, turns }: State): number {
  return row === 'digit' || count <= SHORT_PIECE ? Math.min(MIXED_TURNS, turns + 1) : 1
}

/** Digits come in groups of three. */
function digit(from: State): State {
  if (from.row === 'digit') {
    const count = from.count === 3 ? 1 : from.count + 1
    return state('digit', count === 1 ? 5 : 1 + count, count, from.turns)
  }
  if (LATIN.has(from.row)) return state('digit', 1, 1, turn(from))
  return state('digit', from.row === 'space' ? 0 : 2, 1)
}

const SIGN_AFTER_SPACE = 0

function sign(from: State, again: boolean): State {
  if (from.row !== 'sign') return state('sign', from.row === 'space' ? SIGN_AFTER_SPACE : 1, 1)
  const count = Math.min(from.count + 1, 16)
  if (again) return state('sign', count < 8 ? 5 : count < 16 ? 6 : 7, count)
  return state('sign', Math.min(count, 4), Math.min(count, 8))
}

function newline({ row, count }: State): State {
  if (row === 'newline') return state('newline', count === 1 ? 3 : 4, 2)
  return state('newline', row === 'sign' ? 1 : row === 'space' ? 2 : 0, 1)
}

/** A run of one kind: its place is the first step that its length does not exceed. */
function run(from: State, row: Row, steps: readonly number[]): State {
  const longest = (steps.at(-1) ?? 0) + 1
  const count = from.row === row ? Math.min(from.count + 1, longest) : 1
  const place = steps.findIndex((most) => count <= most)
  return state(row, place < 0 ? steps.length : place, count)
}
