import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { MODE_NAMES } from '../../src/gateway/modes/mode.ts'
import { type Entry, textOf } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import { startAgentModel } from './agent-model.ts'
import { turn } from './asked.ts'
import { CLIENTS } from './clients.ts'
import { toolWork, WINDOW } from './tool-work.ts'
import { wrapClient } from './wrap-client.ts'

const ROWS = CLIENTS.flatMap((client) => MODE_NAMES.map((mode) => [client.name, mode, client] as const))

it.each(ROWS)('%s uses its tools in mode %s, and its conversation stays one session', async (name, mode, client) => {
  const installed = inject('installed')[name]
  if ('problem' in installed) throw new Error(installed.problem)
  const work = toolWork(client, () => running.place.workspace, { fills: mode === 'rewrite' })
  const model = await startAgentModel(work.brain)
  onTestFinished(() => model.close())
  const wrapped = {
    ...client,
    wrapped: { ...client.wrapped, compacts: { ...client.wrapped.compacts, window: WINDOW } },
  }
  const running = wrapClient(wrapped, { program: installed.program, pith: inject('program'), url: model.url, mode })
  onTestFinished(running.remove)

  const first = await running.start(turn(1, 'Use your tools.'))
  const [file] = running.sessions()
  const second = await running.resume({ id: file?.id ?? '', file: file?.path ?? '' }, turn(2, 'Go on.'))
  const store = await openStore(join(running.pithHome, 'pith.db'))
  onTestFinished(() => store.close())
  const { sessions } = await store.sessions()
  const logs = await Promise.all(sessions.map(async ({ id }) => (await store.entries(id)).entries))

  expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1') })
  expect(second, second.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 2') })
  expect(work.step).toBe(work.steps)
  const worked = logs.filter((log) => stepsIn(log).length > 0)
  expect(worked.map(stepsIn)).toEqual([Array.from({ length: work.steps }, (_, i) => String(i + 1))])
  // The agent has a file of the same conversation.
  const env = { ...running.env, PITH_HOME: running.pithHome }
  const listed = execFileSync(process.execPath, [inject('program'), 'sessions', '--all', '--json'], { env })
  expect(
    JSON.parse(String(listed)).filter(({ title }: { title?: string }) => title?.includes('[turn 1]')),
  ).toHaveLength(1)
  const compactions = logs.flat().filter(({ type }) => type === 'compaction').length
  expect({ compactions, ofPith: work.ofPith }).toEqual(
    mode === 'rewrite' ? { compactions: 1, ofPith: 1 } : { compactions: 0, ofPith: 0 },
  )
})

/** The numbers of the steps that a log has. */
function stepsIn(log: readonly Entry[]): string[] {
  return log.flatMap((entry) =>
    entry.type === 'message' ? (/^Step (\d+) /.exec(textOf(entry.message))?.[1] ?? []) : [],
  )
}
