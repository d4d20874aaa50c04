import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openSession } from '../../src/session/open-session.ts'
import { openStore } from '../../src/store/open-store.ts'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { copilot } from './agents/copilot.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { placeClient } from './run-client.ts'

const STEPS = 6

/** The agents that compact when they are told to in a prompt, and take their address from a variable. */
const WRAPPED: readonly (readonly [string, Client])[] = [
  ['claude', claudeCode],
  ['copilot', copilot],
]

it.each(WRAPPED)(
  '%s works behind pith wrap: thirty requests with tools, two compactions, a new gateway for every prompt',
  async (name, client) => {
    const made = new Map<number, number>()
    const model = await startAgentModel(({ turn: number = 0, tools, messages }) => {
      const isOurs = (messages.at(-1) ?? '').includes('This message is from the program')
      const steps = made.get(number) ?? 0
      if (isOurs || number === 0 || tools.length === 0 || steps >= STEPS)
        return { text: `Answer ${number} after the work.` }
      made.set(number, steps + 1)
      return {
        text: `Step ${steps} of turn ${number}.`,
        calls: [client.calls.shell(`echo ${number} ${steps}; seq 400`)],
      }
    })
    onTestFinished(() => model.close())
    const pith = mkdtempSync(join(tmpdir(), 'pith-wrap-'))
    onTestFinished(() => rmSync(pith, { recursive: true, force: true }))
    const running = placeClient(client, { program: wrapper(name, client, pith), url: model.url })
    onTestFinished(running.remove)
    const said = async (run: Promise<{ code: number | null; stdout: string; stderr: string }>) => {
      const { code, stdout, stderr } = await run
      expect(code, stderr).toBe(0)
      return stdout
    }
    const id = () => ({ id: running.sessions()[0]?.id ?? '', file: running.sessions()[0]?.path ?? '' })
    const prompts = [turn(2, 'Go on.'), COMPACT, turn(3, 'And on.'), turn(4, 'And on.'), COMPACT, turn(5, 'The end.')]

    expect(await said(running.start(turn(1, 'Count for a while.')))).toContain('Answer 1')
    for (const prompt of prompts) await said(running.resume(id(), prompt))

    expect(model.asked.length).toBeGreaterThanOrEqual(30)
    const last = model.asked.findLast((asked) => asked.turn === 5)?.messages.join('\n') ?? ''
    expect(last).toContain('[pith-record:')
    expect(last).toContain('Count for a while.')
    const store = await openStore(join(pith, 'pith.db'))
    onTestFinished(() => store.close())
    const { sessions } = await store.sessions({ owner: 'local' })
    const logs = await Promise.all(sessions.map(async (session) => (await openSession(store, session.id)).log))
    expect(logs.some((log) => log.filter(({ type }) => type === 'compaction').length === 2)).toBe(true)
    await expect.poll(() => readdirSync(join(pith, 'gateways')), { timeout: 20_000 }).toEqual([])
  },
)

const COMPACT = '/compact'

/** A program that starts the agent behind a gateway of its own. */
function wrapper(name: string, client: Client, pith: string): string {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const file = join(pith, 'wrapped.sh')
  const path = `PATH='${dirname(installed.program)}':"$PATH" PITH_HOME='${pith}'`
  writeFileSync(
    file,
    `#!/bin/sh\nexport ${path}\nexec '${process.execPath}' '${inject('program')}' wrap ${name} -- "$@"\n`,
  )
  chmodSync(file, 0o755)
  return file
}
