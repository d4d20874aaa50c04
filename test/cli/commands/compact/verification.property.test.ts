import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verificationOf } from '../../../../src/cli/compaction/compact-log.ts'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import type { Entry, Message } from '../../../../src/model/types.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const WORDS = ['parse', 'cache', 'route', 'token', 'ledger', 'window', 'signal', 'branch', 'upload', 'worker'] as const
const word = fc.constantFrom(...WORDS)
const name = fc.tuple(word, word, fc.nat(99)).map(([a, b, n]) => `${a}${b.charAt(0).toUpperCase()}${b.slice(1)}${n}`)
const folder = fc.constantFrom(
  '/home/ann/shop/packages/very-long-folder-name/src',
  'src/engine',
  'C:/Users/ann/AppData/Local/Temp',
)
const path = fc
  .tuple(folder, fc.array(word, { maxLength: 6 }), name)
  .map(([root, more, file]) => [root, ...more, `${file}.ts`].join('/'))
const sentence = fc
  .tuple(word, path, name)
  .map(([verb, file, what]) => `Please ${verb} "${what} as it is said there now" in ${file}, never touch ${what}Test.`)
const output = fc
  .tuple(fc.array(fc.oneof(path, name, sentence), { minLength: 1, maxLength: 30 }), fc.nat(40))
  .map(([lines, times]) => `\u001b[31m${lines.join('\u001b[39m\n')}\n${'all is well here\n'.repeat(times)}`)

/** Turns with long paths, quotations, colours, failing commands and arguments of many lines. */
const session: fc.Arbitrary<Message[]> = fc
  .array(fc.tuple(sentence, path, output, sentence, fc.boolean()), { minLength: 4, maxLength: full ? 60 : 25 })
  .map((steps) =>
    steps.flatMap(([asks, file, shown, says, edits], i): Message[] => [
      user(asks),
      edits
        ? call(`${i}`, 'edit', { file_path: file, new_string: shown })
        : call(`${i}`, 'bash', { command: `cat ${file} && cat > /tmp/x <<'EOF'\n${shown}` }),
      result(`${i}`, edits ? `The file ${file} has been updated.` : `Error: ${shown}`, edits ? 'edit' : 'bash'),
      assistant(says),
    ]),
  )
const window = fc.constantFrom(4_000, 16_000, 64_000, 200_000, 2_000_000)

it('a digest names nothing that its log does not contain, however often the log was compacted before', async () => {
  let digests = 0
  await fc.assert(
    fc.asyncProperty(fc.array(session, { minLength: 1, maxLength: 3 }), window, async (sessions, contextWindow) => {
      let log: readonly Entry[] = []
      for (const messages of sessions) {
        log = [...log, ...logOf(messages).map((entry) => ({ ...entry, seq: entry.seq + (log.at(-1)?.seq ?? 0) }))]
        const done = await compact({ log, model: { contextWindow } })
        const summary = done.view.items.slice().find((item) => item.kind === 'summary')
        if (!done.compacted || summary?.kind !== 'summary') continue
        digests++
        expect(verificationOf(summary, log, '/home/ann/shop').invented).toEqual([])
        log = [...log, ...done.entries]
      }
    }),
    { numRuns: full ? 150 : 4 },
  )
  expect(digests).toBeGreaterThan(4)
})
