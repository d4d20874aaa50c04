/**
 * The known parts of a text before a shell has expanded it: literal texts, and holes for the expansions. `any`: anything;
 * `segment`: anything without `/`; `digits`: a number; `one`: a character except `/`; `one-not-dot`: a character except `/` and a dot.
 */
export type TextShape = readonly ShapePart[]
export type ShapePart = { readonly text: string } | { readonly hole: Hole }
export type Hole = 'any' | 'segment' | 'digits' | 'one' | 'one-not-dot'

export const ANYTHING: TextShape = [{ hole: 'any' }]

export function literal(text: string): TextShape {
  return text === '' ? [] : [{ text }]
}

/** The text itself if it has no holes. */
export function exactText(shape: TextShape): string | undefined {
  return shape.every((part) => 'text' in part)
    ? shape.map((part) => ('text' in part ? part.text : '')).join('')
    : undefined
}

/** The shape of a pattern in which `*` matches any characters. */
export function wildcardShape(pattern: string, hole: Hole = 'any'): TextShape {
  return pattern.split('*').flatMap((text, i) => [...(i === 0 ? [] : [{ hole }]), ...literal(text)])
}

/** True when some text has both shapes. */
export function canMeet(a: TextShape, b: TextShape): boolean {
  if (!startsAlike(a, b)) return false
  const one = exactText(a)
  const other = exactText(b)
  if (one !== undefined && other !== undefined) return one === other
  const repeats = (unit: Unit) => unit.repeats
  const meet = (one: Unit, other: Unit) => fits(one, other) && fits(other, one)
  return sequencesMeet(units(a), units(b), { repeatsA: repeats, repeatsB: repeats, meet })
}

/** A quick check: most pairs differ before their first hole. */
function startsAlike(a: TextShape, b: TextShape): boolean {
  const one = startOf(a)
  const other = startOf(b)
  return one.startsWith(other) || other.startsWith(one)
}

/** The text before the first hole. */
function startOf(shape: TextShape): string {
  let start = ''
  for (const part of shape) {
    if ('hole' in part) return start
    start += part.text
  }
  return start
}

type MeetingRules<A, B> = {
  /** True for a part that matches any number of items. */
  readonly repeatsA: (part: A) => boolean
  readonly repeatsB: (part: B) => boolean
  readonly meet: (one: A, other: B) => boolean
}

/** True when two sequences of parts match a common sequence of items. It takes at most the product of their lengths in steps. */
export function sequencesMeet<A, B>(a: readonly A[], b: readonly B[], meeting: MeetingRules<A, B>): boolean {
  // `below[j]`: whether a[i + 1…] and b[j…] have one in common; filled from the ends.
  let below: boolean[] = []
  for (let i = a.length; i >= 0; i--) {
    const row: boolean[] = new Array(b.length + 1).fill(false)
    const one = a[i]
    const freeA = one !== undefined && meeting.repeatsA(one)
    for (let j = b.length; j >= 0; j--) {
      const other = b[j]
      const freeB = other !== undefined && meeting.repeatsB(other)
      const isEnd = i === a.length && j === b.length
      const skips = (freeA && below[j]) || (freeB && row[j + 1])
      const continues = (freeA ? row : below)[freeB ? j : j + 1]
      row[j] =
        isEnd ||
        skips === true ||
        (continues === true && one !== undefined && other !== undefined && meeting.meet(one, other))
    }
    below = row
  }
  return below[0] === true
}

type Unit = { readonly character?: string; readonly hole?: Hole; readonly repeats: boolean }

function units(shape: TextShape): Unit[] {
  return shape.flatMap((part): Unit[] => {
    if ('text' in part) return [...part.text].map((character) => ({ character, repeats: false }))
    return [{ hole: part.hole, repeats: part.hole !== 'one' && part.hole !== 'one-not-dot' }]
  })
}

/** Whether a character, or one that a hole may have, fits into the other unit. */
function fits({ character }: Unit, { character: same, hole }: Unit): boolean {
  if (character === undefined) return true
  switch (hole) {
    case undefined:
      return character === same
    case 'any':
      return true
    case 'digits':
      return /[\d-]/.test(character)
    case 'one-not-dot':
      return character !== '/' && character !== '.'
    default:
      return character !== '/'
  }
}
