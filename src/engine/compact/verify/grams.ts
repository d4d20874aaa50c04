/**
 * A quick test whether a text may occur in a haystack: false means that it does not, true that it has to be searched.
 * Every run of six characters of the haystack is marked once, so that a name it does not contain costs next to nothing.
 */
export function gramsOf(haystack: string): (text: string) => boolean {
  const marks = new Uint8Array(2 ** (BITS - 3))
  let hash = 0
  for (let i = 0; i < haystack.length; i++) {
    hash = next(hash, haystack.charCodeAt(i))
    const slot = slotOf(hash)
    marks[slot >>> 3] = (marks[slot >>> 3] ?? 0) | (1 << (slot & 7))
  }
  return (text) => {
    let hash = 0
    for (let i = 0; i < text.length; i++) {
      hash = next(hash, text.charCodeAt(i))
      const slot = slotOf(hash)
      if (i >= LENGTH - 1 && ((marks[slot >>> 3] ?? 0) & (1 << (slot & 7))) === 0) return false
    }
    return true
  }
}

const LENGTH = 6
const BITS = 24

/** Shifts by five bits a character and keeps thirty: only the last six characters are in it. */
function next(hash: number, code: number): number {
  return ((hash << 5) ^ code) & 0x3fffffff
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - BITS)
}
