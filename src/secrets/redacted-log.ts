import { changeTexts, rewriteStrings } from '../engine/context/view/rewrite-message.ts'
import { type Entry, entrySchema } from '../model/entry.ts'
import { type RedactedText, redactSecrets } from './redact-secrets.ts'

/** Takes the secrets out of texts and entries, and remembers what kinds they were. */
export class Redaction {
  readonly #found = new Map<string, number>()
  readonly #redact: (text: string) => RedactedText

  constructor(redact = redactSecrets) {
    this.#redact = redact
  }

  /** How many secrets of each kind were left out. */
  get found(): ReadonlyMap<string, number> {
    return this.#found
  }

  readonly text = (text: string): string => {
    const { text: redacted, kinds } = this.#redact(text)
    for (const kind of kinds) this.#found.set(kind, (this.#found.get(kind) ?? 0) + 1)
    return redacted
  }

  /** An entry as it may leave the store; the same object when it has no secret. */
  readonly entry = (entry: Entry): Entry => {
    if (entry.type === 'message') {
      const message = changeTexts(entry.message, this.text)
      // They repeat what the message says: their secrets are counted there.
      const userWords = rewriteStrings(entry.userWords, (text) => this.#redact(text).text) as typeof entry.userWords
      if (message === entry.message && userWords === undefined) return entry
      return userWords === undefined ? { ...entry, message } : { ...entry, message, userWords }
    }
    const changed = rewriteStrings(entry, this.text)
    return changed === entry ? entry : entrySchema.parse(changed)
  }
}
