import { type Said, typedIn, untypedIn, withoutTags } from '../engine/extract/text/typed-words.ts'
import type { DecodedSession } from '../formats/decoded-session.ts'
import { graphemes, withoutEscapes } from '../model/text.ts'
import type { Session, SessionId, Store } from '../store/store.ts'

/** Nearly every session has words for a title in its first messages. A list has hundreds of sessions, so no more are read. */
const FIRST_MESSAGES = 4
/** How many messages are read of a session that begins with greetings. */
const MESSAGES_AFTER_GREETINGS = 40

/** The text that lists show for a session without a title: the beginning of the first text that the user typed. */
export async function untitledWords(store: Store, { id, title, lastSeq }: Session): Promise<string | undefined> {
  if (title !== undefined || lastSeq === 0) return undefined
  const words = firstRealWords(await firstMessages(store, id, FIRST_MESSAGES))
  return words ?? firstWords(await firstMessages(store, id, MESSAGES_AFTER_GREETINGS))
}

async function firstMessages(store: Store, id: SessionId, limit: number): Promise<Said[]> {
  const { entries } = await store.entries(id, { only: 'messages', limit, light: true })
  return entries.filter((entry) => entry.type === 'message')
}

const MOST_SIGNS = 60

/** The title of a session that the user has not named: the beginning of its first message. */
export function titleFrom(text: string): string {
  return shortTitle(text) || 'session'
}

/** True for a greeting or thanks and nothing else: such a message does not show what a session is about. */
export function isGreeting(text: string): boolean {
  if (text.length > LONGEST_GREETING) return false
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 0 && words.every((word) => GREETING_WORDS.has(word))
}

const LONGEST_GREETING = 60

const GREETING_WORDS: ReadonlySet<string> = new Set(
  'hi hello hey hallo hola bonjour salut moin good morning afternoon evening there again great nice cool perfect thanks thank you ok okay'.split(
    ' ',
  ),
)

const FORK = ' (fork)'

/** The title of a fork. A fork of a fork gets the mark only once. */
export function forkTitle(title = 'session'): string {
  return title.endsWith(FORK) ? title : `${title}${FORK}`
}

/** The first line of a text that has words, cut after a word; no character is cut in two. */
export function shortTitle(text: string): string {
  const line = withoutEscapes(text.slice(0, LOOKED_AT))
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/g, '')
    .split('\n')
    .find((each) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(each))
  return cut((line ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim())
}

/** A pasted file is not read whole for its first line. */
const LOOKED_AT = 10_000

function cut(line: string): string {
  if (line.length <= MOST_SIGNS) return line
  const all = Array.from(graphemes(line.slice(0, LOOKED_AT)), ({ segment }) => segment)
  if (all.length <= MOST_SIGNS) return line
  const head = all.slice(0, MOST_SIGNS - 1)
  const space = head.lastIndexOf(' ')
  const isInWord = all[MOST_SIGNS - 1] !== ' '
  return `${(isInWord && space > MOST_SIGNS / 2 ? head.slice(0, space) : head).join('').trimEnd()}…`
}

/** The title of an agent's session: its own, or the beginning of the first text that the user typed. */
export function agentTitle({ title, entries }: Pick<DecodedSession, 'title' | 'entries'>): string | undefined {
  return title ?? firstWords(entries.filter((entry) => entry.type === 'message'))
}

/**
 * The beginning of the first words that the user typed. A greeting, a text that is only a block in tags, or one that nobody is known
 * to have typed counts if there is nothing else.
 */
export function firstWords(messages: readonly Said[]): string | undefined {
  const words = firstRealWords(messages)
  if (words !== undefined) return words
  for (const said of messages) {
    const title = shortTitle((typedIn(said) || untypedIn(said)).slice(0, LOOKED_AT).replace(TAG, ''))
    if (title !== '') return title
  }
  return undefined
}

/** The same without greetings and without texts that are only a block in tags. */
function firstRealWords(messages: readonly Said[]): string | undefined {
  for (const said of messages) {
    const words = withoutTags(typedIn(said).trim())
    // A person may write `<div> is not centred`.
    const [line = ''] = words.split('\n', 1)
    if (line.replace(TAG, '').trim() !== '' && !isGreeting(words)) return shortTitle(words)
  }
  return undefined
}

const TAG = /<[^<>]*>/g
