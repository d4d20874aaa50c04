import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { currentFiles } from '../../../src/engine/extract/current-files.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { mergeIndexes, todosOf } from '../../../src/model/facts/log-index.ts'
import type { Preset } from '../../../src/model/policy/policy.ts'
import { PRESETS } from '../../../src/model/policy/presets.ts'
import type { Entry, Message } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { modelSaying, user } from '../../support/messages.ts'

/** A model that says nothing about files, to-dos or the user: what is known of them afterwards comes from the log. */
const summaryModels = [modelSaying('Some work was done, and there is more of it to do in the next hours.')]

const paths = fc.constantFrom('src/a.ts', 'src/b.ts', 'docs/c.md', 'README.md')
const step = fc.oneof(
  paths.map((path) => ({ tool: 'read', input: { path } })),
  paths.map((path) => ({ tool: 'write', input: { path, content: 'export const one = 1\n' } })),
  paths.map((path) => ({ tool: 'edit', input: { path, old_string: 'one = 1', new_string: 'one = 2' } })),
  paths.map((path) => ({ tool: 'bash', input: { command: `rm ${path}` } })),
  fc
    .array(
      fc.record({ content: fc.lorem({ maxCount: 3 }), status: fc.constantFrom('pending', 'in_progress', 'completed') }),
    )
    .map((todos) => ({ tool: 'TodoWrite', input: { todos } })),
)
const words = fc.oneof(
  fc.lorem({ maxCount: 12 }),
  paths.map((path) => `NEVER touch ${path}.`),
  paths.map((path) => `Please always run the tests after you changed ${path}. It must not break.`),
)
const turn = fc.record({ asks: words, steps: fc.array(step, { maxLength: 4 }), answers: fc.lorem({ maxCount: 60 }) })
const round = fc.record({
  preset: fc.constantFrom(...(Object.keys(PRESETS) as Preset[])),
  turns: fc.array(turn, { minLength: 2, maxLength: 5 }),
})

it.each(Object.keys(PRESETS) as Preset[])(
  'R8, promise 9: files, to-dos and the words of the user are the same after a compaction under %s, and under another one after it',
  async (preset) => {
    let compactions = 0
    const run = fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async ([first, ...others]) => {
      let log: Entry[] = []
      for (const [i, one] of [{ turns: [], ...first, preset }, ...others].entries()) {
        log = withMessages(log, one.turns.flatMap(messagesOf(`${i}`)))
        const before = factsOf(log)
        // All of a preset but what stays verbatim, so that these short sessions have something to remove.
        const policy = { preset: one.preset, ...(PRESETS[one.preset].keepTokens > 0 ? { keepTokens: 40 } : {}) }
        const done = await compact({ log, policy, summaryModels, model: { contextWindow: 200_000 } })
        if (done.compacted) compactions++
        log = [...log, ...done.entries]
        expect(factsOf(log)).toEqual(before)
      }
    })
    await fc.assert(run, { numRuns: full ? 300 : 6 })
    expect(compactions).toBeGreaterThan(5)
  },
)

/** The facts that the session has from its log, as it is read again after a restart. */
function factsOf(log: readonly Entry[]) {
  const items = viewOf(log).items.slice()
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [item.index] : []))
  const index = mergeIndexes([...earlier, indexDelta(items)])
  return {
    files: currentFiles(index)
      .map(({ path, access }) => `${access} ${path}`)
      .sort(),
    todos: todosOf(index),
    users: index.users.map(({ seq, text }) => `#${seq} ${text}`),
    demands: index.constraints.map(({ seq, text }) => `#${seq} ${text}`).sort(),
  }
}

function withMessages(log: Entry[], messages: readonly Message[]): Entry[] {
  return log.length === 0
    ? logOf(messages)
    : appended(
        log,
        messages.map((message) => ({ type: 'message', message })),
      )
}

type Turn = { asks: string; steps: readonly { tool: string; input: object }[]; answers: string }

function messagesOf(name: string): (turn: Turn, t: number) => Message[] {
  return ({ asks, steps, answers }, t) => [
    user(asks),
    ...steps.flatMap(({ tool: toolName, input }, s): Message[] => {
      const toolCallId = `${name}-${t}-${s}`
      return [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'ok' } }],
        },
      ]
    }),
    { role: 'assistant', content: answers },
  ]
}
