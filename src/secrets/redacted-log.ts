import { changeTexts, rewriteStrings } from '../engine/context/view/rewrite-message.ts'
import { entrySchema } from '../model/entry.ts'
import type { Entry } from '../model/types.ts'
import { type RedactedText, redactSecrets } from './redact-secrets.ts'

/** Removes the secrets from texts and entries, and counts their kinds. */
export class Redaction {
  readonly #found = new Map<string, number>()
  readonly #redact: (text: string) => RedactedText

  constructor(redact = redactSecrets) {
    this.#redact = redact
  }

  /** How many secrets of each kind were removed. */
  get found(): ReadonlyMap<string, number> {
    return this.#found
  }

  readonly text = (text: string): string => {
    const { text: redacted, kinds } = this.#redact(text)
    for (const kind of kinds) this.#found.set(kind, (this.#found.get(kind) ?? 0) + 1)
    return redacted
  }

  /** An entry without its secrets; the same object if it has none. */
  readonly entry = (entry: Entry): Entry => {
    if (entry.type === 'message') {
      const message = changeTexts(entry.message, this.text)
      // The user's words repeat the text of the message, so their secrets are not counted again.
      const userWords = rewriteStrings(entry.userWords, (text) => this.#redact(text).text) as typeof entry.userWords
      if (message === entry.message && userWords === undefined) return entry
      return userWords === undefined ? { ...entry, message } : { ...entry, message, userWords }
    }
    const changed = rewriteStrings(entry, this.text)
    return changed === entry ? entry : entrySchema.parse(changed)
  }
}
