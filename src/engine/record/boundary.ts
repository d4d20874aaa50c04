/** A text between two marks that it cannot close: the marks are derived from the text until it does not contain them. */
export function enclose(name: string, text: string): string {
  let mark = `${name}-${hash(text)}`
  while (text.includes(mark)) mark = `${name}-${hash(mark + text)}`
  return `<${mark}>\n${text}\n</${mark}>`
}

/** Of a longer text the mark is derived from so many of its characters: what it guards is that the text has no such mark. */
const MOST_HASHED = 65_536

/** FNV-1a, twice with different seeds: the same text always has the same mark. */
function hash(text: string): string {
  let a = 0x811c9dc5 ^ (text.length > MOST_HASHED ? text.length : 0)
  let b = 0x9747b28c
  const step = Math.ceil(text.length / MOST_HASHED)
  for (let i = 0; i < text.length; i += step) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return ((a >>> 0).toString(16) + (b >>> 0).toString(16)).slice(0, 12)
}
