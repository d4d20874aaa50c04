/** A text between two marks that it cannot close: the marks are derived from the text until it does not contain them. */
export function enclose(name: string, text: string): string {
  let mark = `${name}-${hash(text)}`
  while (text.includes(mark)) mark = `${name}-${hash(mark + text)}`
  return `<${mark}>\n${text}\n</${mark}>`
}

/** FNV-1a, twice with different seeds: the same text always has the same mark. */
function hash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return ((a >>> 0).toString(16) + (b >>> 0).toString(16)).slice(0, 12)
}
