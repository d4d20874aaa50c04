/** A terminal's text without escapes (colours, cursor moves, titles, links) and other control characters; lines and tabs stay. */
export function plainText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '')
}

const ESCAPES =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[\]P^_X][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|\u001b[ -/]{0,4}[0-~]/g
const CONTROLS = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
