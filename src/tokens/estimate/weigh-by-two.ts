import { INPUT_BITS, REPEATED, theAutomaton } from './automaton.ts'
import { KIND_OF, KINDS } from './character-kinds.ts'
import type { WeightTables } from './weigher.ts'

/**
 * Returns a function that gives the same sum as reading one character after the other, in about half the time: it reads
 * two ASCII characters at once, and others one by one. Undefined if the machine is not little-endian, if there is
 * no `Buffer`, or if the weights are too large for the tables.
 *
 * The tables, with their bits from the lowest. A pair is `first letter << 5 | second letter`, a = 1; a row is a paired row.
 *
 * | table         | index                                           | value                                                |
 * | ------------- | ----------------------------------------------- | ---------------------------------------------------- |
 * | `steps`       | state << 6, again << 5, kind                    | 0–8 next state, 9–13 row, 14–31 weight               |
 * | `pairWeights` | row << 10, pair                                 | weight of the pair in that row                       |
 * | `twoKinds`    | second character << 7, first character          | 0–9 their pair, 10 a third one would be `again`,     |
 * |               |                                                 | 26–28 kind of the second, 29–31 kind of the first    |
 * | `twoSteps`    | state << 6, kind of first << 3, kind of second  | 0–8 state after both, 9–11 row of the second,        |
 * |               |                                                 | 12–14 row of the first, 15–31 weight of both         |
 *
 * The kinds in `twoKinds` and `twoSteps` are numbers from 0 to 7: ASCII has eight kinds.
 *
 * The loop was shaped by measurement. Tables have at least 64 kB, because only then the compiler treats their address as
 * a constant. Numbers are literals in the loop, because constants of the module would be loaded again for each character.
 */
export function weigherByTwo({ steps, pairWeights, weightOf }: WeightTables): ((text: string) => number) | undefined {
  const kinds = asciiKinds()
  const twoSteps = twoStepsOf(kinds, weightOf)
  if (typeof Buffer === 'undefined' || !isLittleEndian() || twoSteps === undefined) return undefined
  const twoKinds = twoKindsOf(kinds)
  const pairs = atLeast64kB(pairWeights)
  const kindOf = KIND_OF
  const memory = new ArrayBuffer(TEXT_BYTES)
  const bytes = Buffer.from(memory)
  const units = new Uint16Array(memory)
  const twos = new Int32Array(memory)

  /** The step of one character: 0–8 the state after it, from 9 on its weight. */
  const one = (state: number, beforeLast: number, last: number, code: number): number => {
    const again = ((((code ^ last) | (code ^ beforeLast)) - 1) >>> 31) << 5
    const step = steps[((state & 511) << 6) | again | (kindOf[code] ?? 0)] ?? 0
    const pair = ((step & 0x3e00) << 1) | ((last & 31) << 5) | (code & 31)
    return (((step >>> 14) + (pairs[pair] ?? 0)) << 9) | (step & 511)
  }
  const oneByOne = (state: number, before: number, two: number): number => {
    const first = one(state, before & 0xffff, before >>> 16, two & 0xffff)
    const second = one(first, before >>> 16, two & 0xffff, two >>> 16)
    return (second + (first & ~511)) | 0
  }

  return (text) => {
    const { length } = text
    let total = 0
    let step = 0
    let before = 0
    let kindsBefore = 0
    for (let from = 0; from < length; from += 4_096) {
      const size = Math.min(4_096, length - from)
      bytes.write(length <= 4_096 ? text : text.slice(from, from + size), 0, size * 2, 'utf16le')
      const halves = size >> 1
      let sum = 0
      let half = 0
      if (from === 0) {
        // The two characters before the text are -1, as in `countFeatures` (bench/estimator), with which the weights were fitted.
        const first = one(0, -1, -1, units[0] ?? 0)
        if (size === 1) return first >>> 9
        const second = one(first, -1, units[0] ?? 0, units[1] ?? 0)
        sum = (first >>> 9) + (second >>> 9)
        step = second & 511
        before = twos[0] ?? 0
        kindsBefore = 0x400 | ((before >>> 16) & 31)
        half = 1
      }
      for (; half < halves; half++) {
        const two = twos[half] ?? 0
        let kindsOfTwo = twoKinds[(two | (two >>> 9)) & 0x3fff] ?? 0
        const stepBefore = step
        const sumBefore = sum
        step = twoSteps[((step & 511) << 6) | (kindsOfTwo >>> 26)] ?? 0
        const firstPair = ((step & 0x7000) >> 2) | ((kindsBefore << 5) & 0x3e0) | ((kindsOfTwo >>> 5) & 31)
        const secondPair = ((step & 0xe00) << 1) | (kindsOfTwo & 1_023)
        sum = (sum + (step >>> 15) + (pairs[firstPair] ?? 0) + (pairs[secondPair] ?? 0)) | 0
        // A character that is not ASCII, or a third one of the same, is rare: its steps are undone and done one by
        // one. To test for it first would be slower, because code inside a condition is compiled worse.
        const isNotAscii = (two & 0xff80ff80) !== 0
        if (isNotAscii || (((kindsOfTwo | kindsBefore) & 0x400) !== 0 && (two & 0xffff) === before >>> 16)) {
          const both = oneByOne(stepBefore, before, two)
          sum = (sumBefore + (both >>> 9)) | 0
          step = both & 511
          kindsOfTwo = 0x400 | ((two >>> 16) & 31)
        }
        before = two
        kindsBefore = kindsOfTwo
      }
      if ((size & 1) === 1) sum += one(step, before & 0xffff, before >>> 16, units[size - 1] ?? 0) >>> 9
      // The sum of a longer piece could exceed 32 bits.
      total += sum
    }
    return total
  }
}

const TEXT_BYTES = 1 << 16

/** The same table in at least 64 kB: see above. */
function atLeast64kB(table: Int32Array): Int32Array {
  const copy = new Int32Array(Math.max(table.length, 1 << 14))
  copy.set(table)
  return copy
}

function isLittleEndian(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
}

/** The eight kinds of ASCII characters. */
function asciiKinds(): number[] {
  return [...new Set(KIND_OF.subarray(0, 128))]
}

function twoKindsOf(kinds: readonly number[]): Int32Array {
  const table = new Int32Array(1 << 14)
  const kindAt = Array.from(KIND_OF.subarray(0, 128), (kind) => kinds.indexOf(kind))
  for (let second = 0; second < 128; second++) {
    const ofSecond = ((kindAt[second] ?? 0) << 26) | (second & 31)
    const repeats = REPEATED.has(KINDS[KIND_OF[second] ?? 0] ?? 'rest') ? 0x400 : 0
    for (let first = 0; first < 128; first++) {
      const ofFirst = ((kindAt[first] ?? 0) << 29) | ((first & 31) << 5)
      table[(second << 7) | first] = ofSecond | ofFirst | (first === second ? repeats : 0)
    }
  }
  return table
}

function twoStepsOf(kinds: readonly number[], weightOf: (state: number) => number): Int32Array | undefined {
  const { next, states, pairedRowOf } = theAutomaton()
  const table = new Int32Array(512 << 6)
  const weights = Int32Array.from({ length: states }, (_, state) => weightOf(state))
  for (let state = 0; state < states; state++) {
    for (let two = 0; two < 64; two++) {
      const middle = next[(state << INPUT_BITS) | (kinds[two >> 3] ?? 0)] ?? 0
      const last = next[(middle << INPUT_BITS) | (kinds[two & 7] ?? 0)] ?? 0
      const weight = (weights[middle] ?? 0) + (weights[last] ?? 0)
      if (weight >= 1 << 17) return undefined
      const rows = ((pairedRowOf[middle] ?? 0) << 3) | (pairedRowOf[last] ?? 0)
      table[(state << 6) | two] = (weight << 15) | (rows << 9) | last
    }
  }
  return table
}
