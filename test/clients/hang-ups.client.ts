import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import { startAgentModel } from './agent-model.ts'
import { turn } from './asked.ts'
import { CLIENTS } from './clients.ts'
import { longResults } from './long-results.ts'
import { recordedWork } from './recorded-work.ts'
import { wrapClient } from './wrap-client.ts'

/** So many that `rewrite` compacts. */
const PIECES: Readonly<Record<Exclude<ModeName, 'answer'>, number>> = { observe: 4, rewrite: 18 }

/** Pith knows the windows of their models. */
const KNOWN_WINDOWS: ReadonlySet<string> = new Set(['claude-code', 'codex', 'copilot', 'qwen-code'])

const ROWS = CLIENTS.flatMap((client) =>
  (['observe', 'rewrite'] as const).flatMap((mode) =>
    [2, 50, 500].map((endMs) => [client.name, mode, endMs, client] as const),
  ),
)

const rows: string[][] = []
afterAll(() =>
  console.log(columns([['agent', 'mode', 'end in ms', 'steps', 'with usage', 'reductions'], ...rows]).join('\n')),
)

it.each(ROWS)('%s in mode %s: every answer has its usage if the stream ends %i ms after it', async (...row) => {
  const [name, mode, endMs, client] = row
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const pieces = PIECES[mode]
  const model = await startAgentModel(longResults(client, { pieces }).brain, { endMs })
  onTestFinished(() => model.close())
  const running = wrapClient(client, { program: installed.program, pith: inject('program'), url: model.url, mode })
  onTestFinished(running.remove)

  const run = await running.start(turn(1, 'Count for a while.'))
  const { steps, counted, reductions } = await recordedWork(running)
  rows.push([name, mode, ...[endMs, steps, counted, reductions].map(String)])

  expect(run.stdout, run.stderr.slice(-3_000)).toContain('All is done.')
  expect(steps).toBe(pieces)
  expect(counted).toBe(pieces)
  if (mode === 'rewrite' && KNOWN_WINDOWS.has(name)) expect(reductions).toBeGreaterThan(0)
})
