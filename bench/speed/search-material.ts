import type { Message } from '../../src/engine.ts'
import { randomOf } from '../../src/eval/random.ts'
import { pick } from './made-up-text.ts'

const STOP_WORDS = 'the a to of and in is it that for this with on be as are by not if'.split(' ')
const SYLLABLES =
  'ba be bo ca ce co da de do fa fi ga ge ha hi ka ke la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi'.split(
    ' ',
  )
const VOCABULARY = 30_000

/** Words that nobody uses, so that none is a stem of another by chance, the most frequent first. */
export const MADE_UP_WORDS: readonly string[] = Array.from({ length: VOCABULARY }, (_, rank) => {
  let word = ''
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[(rest * 7 + word.length * 11) % SYLLABLES.length]
  return `${word}n`
})

/**
 * The messages of a made-up session. As in recorded ones a few words are everywhere, most are rare, and there are names,
 * numbers and hashes that occur once: so the index has about as many terms as that of real sessions.
 */
export function searchedConversation(messages: number, seed: number): Message[] {
  const random = randomOf(seed)
  const made: Message[] = []
  while (made.length < messages) made.push(...turn(`${seed}-${made.length}`, random))
  return made.slice(0, messages)
}

function turn(id: string, random: () => number): Message[] {
  return [
    { role: 'user', content: text(random, 10 + random() * 60) },
    ...Array.from({ length: 4 }, (_, step) => callAndResult(`call-${id}-${step}`, random)).flat(),
    { role: 'assistant', content: text(random, 40 + random() * 80) },
  ]
}

function callAndResult(toolCallId: string, random: () => number): Message[] {
  const path = `src/${frequent(random)}/${frequent(random)}.ts`
  const toolName = pick(random, ['read', 'bash', 'edit'])
  const lines = Array.from({ length: 1 + 60 * random() ** 3 }, () => text(random, 2 + random() * 10))
  const output = { type: 'text', value: lines.join('\n') } as const
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: text(random, 5 + random() * 15) },
        { type: 'tool-call', toolCallId, toolName, input: { path } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ]
}

function text(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ')
}

function word(random: () => number): string {
  const kind = random()
  if (kind < 0.35) return pick(random, STOP_WORDS)
  if (kind < 0.87) return frequent(random)
  if (kind < 0.96) return `${frequent(random)}${capital(frequent(random))}`
  if (kind < 0.99) return String(Math.floor(random() * 100_000))
  return Math.floor(random() * 2 ** 40).toString(16)
}

/** The frequency of a word falls with its rank, as in every language. */
function frequent(random: () => number): string {
  return MADE_UP_WORDS[Math.floor(VOCABULARY ** random()) - 1] ?? ''
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
