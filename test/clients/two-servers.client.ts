import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { serverHome } from '../server/support/processes.ts'
import { startModelServer } from '../support/model-server/index.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { longWork } from './long-work.ts'
import { workIn } from './recorded-work.ts'
import { placeClient } from './run-client.ts'

/** As far as the first compaction of the work, and one more turn. */
const TURNS = 3

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

it('Claude Code whose requests go to two servers in turn has one session, through a compaction and two resumes', async () => {
  const installed = inject('installed')['claude-code']
  if ('problem' in installed) throw new Error(installed.problem)
  const work = longWork(claudeCode, () => running.place.workspace)
  const model = await startAgentModel(work.brain)
  onTestFinished(() => model.close())
  const database = await postgres.readyUrl()
  const { url, token, asked } = await team(database, model.url)
  const setUp: Client['setUp'] = (place) => ({
    ...claudeCode.setUp({ ...place, url: `${url}/gateway/${token}/anthropic` }),
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000',
  })
  const running = placeClient({ ...claudeCode, setUp }, { program: installed.program, url: model.url })
  onTestFinished(running.remove)

  for (let number = 1; number <= TURNS; number++) {
    work.turn = number
    const [file] = running.sessions()
    const prompt = turn(number, number === 1 ? 'Count for a while.' : 'Go on.')
    const run = await (file === undefined
      ? running.start(prompt)
      : running.resume({ id: file.id, file: file.path }, prompt))
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`Answer ${number}`) })
  }

  const stored = async () => {
    const { sessions, steps, counted, compactions } = await workIn(database)
    return { sessions, steps, counted, compactions }
  }
  // The last answer is recorded after the agent has it.
  const pieces = work.piece
  await expect
    .poll(stored, { timeout: 60_000 })
    .toEqual({ sessions: 1, steps: pieces, counted: pieces, compactions: 1 })
  expect(work.ofPith).toBe(1)
  expect(Math.min(...asked())).toBeGreaterThan(pieces / 3)
  expect(model.asked.findLast(({ tools }) => tools.length > 0)?.messages.join('\n')).toContain('[pith-record:')
})

/** Two servers on one database behind one address, and how many requests each has got. */
async function team(database: string, upstream: string) {
  const unused = await startModelServer({ brain: () => ({ text: 'ok' }) })
  onTestFinished(() => unused.close())
  const gateway = { upstreams: { anthropic: upstream } }
  const home = serverHome(database, unused, {}, undefined, { gateway, policy: {} })
  onTestFinished(() => home.stop())
  const servers = await Promise.all([home.start(['--quiet']), home.start(['--quiet'])])
  const counts = servers.map(() => 0)
  let next = 0
  const balancer = createServer((incoming, response) => {
    const at = next++ % servers.length
    counts[at] = (counts[at] ?? 0) + 1
    void passOn(incoming, response, servers[at]?.url ?? '')
  })
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    balancer.close()
    balancer.closeAllConnections()
  })
  const { port } = balancer.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, token: home.token, asked: () => counts }
}

async function passOn(incoming: IncomingMessage, response: ServerResponse, server: string): Promise<void> {
  const { method, url = '/', headers } = incoming
  const outgoing = request(new URL(url, server), { method, headers: { ...headers, host: new URL(server).host } })
  outgoing.on('error', () => response.destroy())
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response).catch(() => response.destroy())
  })
  await pipeline(incoming, outgoing).catch(() => response.destroy())
}
