import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import { type AgentModel, startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { qwenCode } from './agents/qwen-code.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { DONE, KILLED_TURN, longWork, TURNS } from './long-work.ts'
import { withOwnTrigger } from './own-trigger.ts'
import { recordedWork } from './recorded-work.ts'
import { sentProblems } from './sent-problems.ts'
import { type WrappedRun, wrapClient } from './wrap-client.ts'

const WRAPPED: readonly Client[] = [codex, opencode, pi, gemini, qwenCode, claudeCode, copilot]

const HEAD = [
  'agent',
  'version',
  'requests',
  'compactions',
  'by Pith',
  'sessions',
  'resumed',
  'gateway killed',
  'seconds',
]
const rows: string[][] = []
afterAll(() => console.log(columns([HEAD, ...rows]).join('\n')))

it.each(WRAPPED.map((client) => [client.name, client] as const))(
  '%s works to the end behind pith wrap: thirty pieces of work, two compactions, a killed gateway, a resume',
  async (name, client) => {
    const start = performance.now()
    const installed = inject('installed')[name]
    if ('problem' in installed) throw new Error(installed.problem)
    let patience: NodeJS.Timeout | undefined
    const work = longWork(
      client,
      () => running.place.workspace,
      () => {
        for (const pid of running.gateways()) process.kill(pid, 'SIGKILL')
        patience = setTimeout(running.end, PATIENCE_MS)
      },
    )
    const model = await startAgentModel((asked) => {
      // It has found the gateway again.
      clearTimeout(patience)
      return work.brain(asked)
    })
    onTestFinished(() => model.close())
    const running = wrapClient(withOwnTrigger(client), {
      program: installed.program,
      pith: inject('program'),
      url: model.url,
    })
    onTestFinished(running.remove)
    onTestFinished(() => keep(running, model))

    let resumed = 0
    let killed = ''
    for (let number = 1; number <= TURNS; number++) {
      work.turn = number
      const [file] = running.sessions()
      const prompt = turn(number, number === 1 ? 'Count for a while.' : 'Go on.')
      const run = await (file === undefined
        ? running.start(prompt)
        : running.resume({ id: file.id, file: file.path }, prompt))
      clearTimeout(patience)
      if (file !== undefined) resumed++
      if (number === KILLED_TURN)
        killed = run.code === 0 ? 'agent goes on' : run.code === null ? 'agent waits' : `agent ends, ${run.code}`
      else expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`Answer ${number}`) })
    }
    const { compactions, sessions } = await recordedWork(running)
    const seconds = Math.round((performance.now() - start) / 1000)
    const counts = [model.asked.length, work.compactions, compactions, sessions, resumed, killed, seconds]
    rows.push([name, installed.version, ...counts.map(String)])

    const { workspace } = running.place
    expect(readFileSync(join(workspace, 'done.txt'), 'utf8').trim().split('\n').map(Number)).toEqual(DONE)
    for (let number = 1; number <= TURNS; number++)
      expect(readFileSync(join(workspace, `part${number}.txt`), 'utf8').trim()).toBe(`part ${number}`)
    expect(sentProblems(client, model.asked)).toEqual([])
    expect(model.asked.length).toBeGreaterThanOrEqual(30)
    expect({ compactions, asked: work.compactions }).toEqual({ compactions: 2, asked: 2 })
    expect(sessions).toBeLessThanOrEqual(1 + (client.wrapped.branches ?? 0))
    const last = model.asked.findLast(({ tools }) => tools.length > 0)?.messages.join('\n') ?? ''
    expect(last).toContain('[pith-record:')
    expect(last).toContain('Count for a while.')
    await expect.poll(() => readdirSync(join(running.pithHome, 'gateways')), { timeout: 20_000 }).toEqual([])
  },
)

/** How long an agent may wait for a gateway that is gone, before the person ends it. */
const PATIENCE_MS = 15_000

/** Where the databases and requests of all agents are kept, to look at a run that failed: `PITH_KEPT=FOLDER`. */
const KEPT = process.env.PITH_KEPT

function keep({ client, pithHome }: WrappedRun, { asked }: AgentModel): void {
  if (KEPT === undefined) return
  cpSync(pithHome, join(KEPT, client.name), { recursive: true })
  writeFileSync(join(KEPT, `${client.name}.json`), JSON.stringify(asked))
}
