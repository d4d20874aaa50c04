import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { longResults } from './long-results.ts'
import { recordedWork } from './recorded-work.ts'
import { sentProblems } from './sent-problems.ts'
import { wrapClient } from './wrap-client.ts'

/** The provider's window, of which neither the agent nor Pith knows. */
const WINDOW = 60_000
const PIECES = 18

type Row = readonly [string, ModeName, Client, { readonly sees: boolean; readonly code?: number }]

/** Whether the agent sees the refusal, and so compacts by itself; and its exit status. */
const ROWS: readonly Row[] = [
  ['codex', 'answer', codex, { sees: false }],
  ['claude-code', 'answer', claudeCode, { sees: true }],
  // Without Pith it also ends so when it has seen an error, and does not report it.
  ['opencode', 'answer', opencode, { sees: true, code: 1 }],
  ['pi', 'answer', pi, { sees: true }],
  ['codex', 'rewrite', codex, { sees: false }],
  ['claude-code', 'rewrite', claudeCode, { sees: false }],
  ['opencode', 'rewrite', opencode, { sees: false }],
]

const rows: string[][] = []
afterAll(() =>
  console.log(
    columns([['agent', 'mode', 'requests', 'refused', 'asked to compact', 'compactions', 'reductions'], ...rows]).join(
      '\n',
    ),
  ),
)

it.each(ROWS)(
  '%s continues in mode %s when its provider refuses a request as too long',
  async (name, mode, client, to) => {
    const installed = inject('installed')[client.name]
    if ('problem' in installed) throw new Error(installed.problem)
    const work = longResults(client, { pieces: PIECES, tokens: 5_000 })
    const model = await startAgentModel(work.brain, { window: WINDOW })
    onTestFinished(() => model.close())
    const running = wrapClient(client, { program: installed.program, pith: inject('program'), url: model.url, mode })
    onTestFinished(running.remove)

    const run = await running.start(turn(1, 'Count for a while.'))
    const { compactions, reductions, sessions } = await recordedWork(running)
    rows.push([
      name,
      mode,
      ...[model.asked.length, model.refused.length, work.summaries, compactions, reductions].map(String),
    ])

    expect(run, run.stderr.slice(-3_000)).toMatchObject({
      code: to.code ?? 0,
      stdout: expect.stringContaining('All is done.'),
    })
    const done = readFileSync(join(running.place.workspace, 'done.txt'), 'utf8').trim().split('\n').map(Number)
    expect(done).toEqual(Array.from({ length: PIECES }, (_, i) => i + 1))
    expect(sentProblems(client, model.asked)).toEqual([])
    expect(model.refused.length).toBeGreaterThan(0)
    expect(reductions).toBeGreaterThan(0)
    expect(sessions).toBe(1)
    expect(work.summaries > 0).toBe(to.sees)
    expect(model.asked.findLast(({ tools }) => tools.length > 0)?.messages.join('\n')).toContain('Count for a while.')
  },
)
