import { changeTexts, rewriteStrings } from '../engine/context/view/rewrite-message.ts'
import { entrySchema } from '../model/entry.ts'
import type { Entry, Message } from '../model/types.ts'
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

  readonly message = (message: Message): Message => changeTexts(message, this.text)

  /** An entry without its secrets; the same object if it has none. */
  readonly entry = (entry: Entry): Entry => {
    if (entry.type === 'message') {
      const message = this.message(entry.message)
      // The user's words repeat the text of the message, so their secrets are not counted again.
      const userWords = rewriteStrings(entry.userWords, (text) => this.#redact(text).text) as typeof entry.userWords
      const raw = entry.raw === undefined ? undefined : this.#raw(entry.raw)
      if (message === entry.message && userWords === undefined && raw === entry.raw) return entry
      return {
        ...entry,
        message,
        ...(userWords === undefined ? {} : { userWords }),
        ...(raw === undefined ? {} : { raw }),
      }
    }
    const changed = rewriteStrings(entry, this.text)
    return changed === entry ? entry : entrySchema.parse(changed)
  }

  /** Raw output repeats the message, so its secrets are not counted again. One with a colour inside is found without the colours. */
  #raw(raw: string): string {
    const { text } = this.#redact(raw)
    const plain = text.replace(SEQUENCES, '')
    const { text: clean, kinds } = this.#redact(plain)
    return kinds.length === 0 ? text : clean
  }
}

const SEQUENCES = /\u001b\[[0-?]{0,64}[ -/]{0,8}[@-~]/g
