import fc from 'fast-check'
import { expect } from 'vitest'
import { full } from '../support/full.ts'

/** A conversation whose every message has a word that no other conversation has. */
export type Talk = {
  /** The words that its owner may see: its own and, for a fork, those before the fork. */
  readonly words: Set<string>
  /** The next words of a user, or a tool. */
  readonly say: () => string
}

/** An agent of an application, with its conversation. */
export type OwnAgent = {
  /** Says more and asks the model: the text of all that is sent to it. */
  readonly step: () => Promise<string>
  /** Calls `recall` with its messages as they were sent, or as a framework made them. Absent: it has no such tool. */
  readonly recall?: (input: { readonly search?: string; readonly handles?: string }, form: Form) => Promise<string>
  /** The state of its conversation; `named`: it says which one it means. */
  readonly state: (named: boolean) => unknown
  /** A conversation that continues from this one, with the very objects of its messages. */
  readonly fork: (talk: Talk) => OwnAgent
}

/** Makes agents that share one manager. `prepares`: false for one that only has the tools. */
export type SharedManager = {
  readonly agent: (talk: Talk, opening: Opening, prepares: boolean) => OwnAgent
}

const OPENINGS = ['its own words', 'the same words', 'the same message', 'the same list'] as const
export type Opening = (typeof OPENINGS)[number]

const FORMS = ['as sent', 'copied', 'marked for a cache', 'without its first', 'without its last', 'empty'] as const
export type Form = (typeof FORMS)[number]

/** A list as a framework may hand it to a tool. */
export function inForm<T extends object>(list: readonly T[], form: Form): T[] {
  switch (form) {
    case 'as sent':
      return [...list]
    case 'copied':
      return structuredClone([...list])
    case 'marked for a cache':
      return list.map((item, i) =>
        i % 3 === 0 || i === list.length - 1 ? { ...item, providerOptions: { acme: { cache: true } } } : item,
      )
    case 'without its first':
      return list.slice(1)
    case 'without its last':
      return list.slice(0, -1)
    case 'empty':
      return []
  }
}

/** The text that the n-th message of a conversation has: long enough that some ten of them are compacted. */
function newTalk(name: string, before: Iterable<string> = []): Talk {
  const words = new Set(before)
  let said = 0
  return {
    words,
    say: () => {
      const word = `zq-${name}-${said++}-x`
      words.add(word)
      return `${word}\n${`The line of ${name} that says more of it.\n`.repeat(70)}${word}`
    },
  }
}

function foreignWords(text: string, { words }: Talk): string[] {
  return (text.match(/zq-[a-z0-9]+-\d+-x/g) ?? []).filter((word) => !words.has(word))
}

const agents = fc.array(fc.record({ prepares: fc.boolean(), opening: fc.constantFrom(...OPENINGS) }), {
  minLength: 2,
  maxLength: 5,
})
const actions = fc.array(
  fc.record({
    agent: fc.nat(9),
    action: fc.constantFrom('step', 'step', 'step', 'step', 'recall', 'recall', 'state', 'named state', 'fork'),
    form: fc.constantFrom(...FORMS),
  }),
  { minLength: 10, maxLength: 120, size: 'max' },
)

/** In any order of the steps and calls of agents that share a manager, no agent gets a word of another conversation. */
export async function expectOwnWords(make: () => SharedManager): Promise<void> {
  await fc.assert(
    fc.asyncProperty(agents, actions, async (kinds, script) => {
      const manager = make()
      const all = kinds.map(({ prepares, opening }, i): Speaker => {
        const talk = newTalk(`a${i}`)
        return { talk, agent: manager.agent(talk, opening, prepares), prepares, isSeen: false, isForked: false }
      })
      // Three actions at a time: their calls overlap.
      for (let from = 0; from < script.length; from += 3) {
        const now = script.slice(from, from + 3).map((one) => ({ ...one, of: one.agent % all.length }))
        const busy = now.filter(({ of }, i) => now.findIndex((other) => other.of === of) === i)
        const got = await Promise.all(
          busy.map(async ({ of, action, form }) => {
            const speaker = all[of] as Speaker
            return { speaker, action, text: await textOf(speaker, action, form) }
          }),
        )
        for (const { speaker, action, text } of got) {
          expect(foreignWords(text, speaker.talk)).toEqual([])
          if (action === 'step') speaker.isSeen = speaker.prepares
          if (action !== 'fork' || all.length > 5) continue
          const talk = newTalk(`f${all.length}`, speaker.talk.words)
          speaker.isForked = true
          all.push({ ...speaker, talk, agent: speaker.agent.fork(talk), isSeen: false })
        }
      }
    }),
    // Making a failing script smaller would take minutes.
    { numRuns: full ? 2_000 : 6, endOnFailure: true },
  )
}

type Speaker = {
  readonly talk: Talk
  readonly agent: OwnAgent
  readonly prepares: boolean
  isSeen: boolean
  isForked: boolean
}

async function textOf({ agent, isSeen, isForked }: Speaker, action: string, form: Form): Promise<string> {
  switch (action) {
    case 'step':
      return agent.step()
    case 'recall': {
      const found = await agent.recall?.({ search: 'zq-' }, form)
      const read = await agent.recall?.({ handles: '#1-#60' }, form)
      return `${found}\n${read}`
    }
    case 'state':
      // A manager that saw one conversation takes any caller for its caller, and a fork for its next turn.
      return isSeen && !isForked ? (JSON.stringify(await agent.state(false)) ?? '') : ''
    case 'named state':
      return JSON.stringify(await agent.state(true)) ?? ''
    default:
      return ''
  }
}
