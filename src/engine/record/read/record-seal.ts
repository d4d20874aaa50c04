/** Signs a text for one installation, and checks a signature. The key stays with the caller. */
export type RecordSeal = {
  readonly sign: (text: string) => string
  readonly isSigned: (text: string, seal: string) => boolean
}

/** A record that this installation can know again, whatever file it comes back in. Without a seal it is as it was. */
export function withSeal(record: string, seal: RecordSeal | undefined): string {
  return seal === undefined ? record : `${record}\n\n[pith-seal:${seal.sign(signedText(record))}]`
}

/** True for a text that this installation has sealed. */
export function hasSeal(text: string, mark: string | undefined, seal: RecordSeal | undefined): boolean {
  return mark !== undefined && seal?.isSigned(signedText(text), mark) === true
}

/** Clients trim summaries and shorten the empty lines in them. Where a line ends is signed: a line has a meaning of its own. */
function signedText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
