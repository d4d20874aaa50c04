import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import { type Choose, type Editor, editorOf, saidBy } from '../support/acp-editor.ts'
import { ACP_AGENTS, type AcpAgent } from './acp-agents.ts'
import { type AgentModel, startAgentModel } from './agent-model.ts'
import { turn } from './asked.ts'
import { installedPackages } from './installed-packages.ts'
import { killGroup, placeClient } from './run-client.ts'

const PIECES = 9
const SUMMARY = 'The user wants pieces of work done, one after the other. Each writes its number.'
const ALLOW: Choose = ({ options }) => options.find(({ kind }) => kind.startsWith('allow'))?.optionId

const rows: string[][] = []
afterAll(() => console.log(columns([['agent', 'compactions', 'record', 'tools of Pith'], ...rows]).join('\n')))

it.each(ACP_AGENTS.map((agent) => [agent.name, agent] as const))(
  '%s behind pith acp works for an editor, and gets a record when it compacts',
  async (name, agent) => {
    const work = await pieces(agent)
    const { editor, sessionId, gateways } = await editorWith(agent, work.model)
    const ask = (text: string) =>
      editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })

    expect(await ask(turn(1, 'Count for a while.'))).toMatchObject({ stopReason: 'end_turn' })
    work.state.turn = 2
    expect(await ask(turn(2, 'Go on.'))).toMatchObject({ stopReason: 'end_turn' })
    const said = saidBy(editor.updates, 'agent_message_chunk')
    for (const answer of ['Answer 1 after the work.', 'Answer 2 after the work.']) expect(said).toContain(answer)

    const { asked } = work.model
    const last = asked.at(-1)
    const hasRecord = last?.messages.some((message) => message.includes('[pith-record:')) === true
    const tools = asked.flatMap((request) => request.tools).filter((tool) => tool.includes('pith'))
    rows.push([name, String(work.state.compactions), hasRecord ? 'yes' : 'no', [...new Set(tools)].join(', ')])
    expect(hasRecord).toBe(agent.neverCompacts !== true)
    if (hasRecord) expect(last?.messages.join()).toContain('Count for a while.')

    expect(gateways()).toHaveLength(1)
    // Not every agent ends when its input does, so an editor kills it. The gateway must end, too.
    killGroup(editor.pid)
    await expect.poll(() => gateways().filter(isRunning), { timeout: 20_000 }).toEqual([])
  },
)

/** The model of an agent that does pieces of work, and reports a full window after some of them. */
async function pieces({ client }: AcpAgent) {
  const state = { pieces: 0, compactions: 0, turn: 1 }
  const model = await startAgentModel(({ isSummary, messages }) => {
    if (isSummary || messages.at(-1)?.includes('This message is from the program') === true) {
      state.compactions++
      return { text: SUMMARY }
    }
    if (state.pieces >= state.turn * PIECES) return { text: `Answer ${state.turn} after the work.` }
    const piece = ++state.pieces
    const isFull = state.turn === 1 && piece >= PIECES - 2 && state.compactions === 0
    return {
      text: `Piece ${piece} of the work.`,
      calls: [client.calls.shell(`seq -f 'piece ${piece}, line %g of the work' 1 300`)],
      ...(isFull ? { tokens: client.wrapped.compacts.tokens } : {}),
    }
  })
  onTestFinished(() => model.close())
  return { state, model }
}

/** An editor with a session of an agent behind `pith acp`, in a home of its own. */
async function editorWith(agent: AcpAgent, { url }: AgentModel) {
  const { client, command } = agent
  const { compacts, setUp = client.setUp } = client.wrapped
  const programs = installedPackages(agent.name, agent.packages)
  const { env: own, place, remove } = placeClient({ ...client, setUp }, { program: '', url, window: compacts.window })
  onTestFinished(remove)
  const pithHome = mkdtempSync(join(tmpdir(), 'pith-acp-'))
  onTestFinished(() => rmSync(pithHome, { recursive: true, force: true, maxRetries: 5 }))
  const PATH = [dirname(process.execPath), programs, process.env.PATH].join(delimiter)
  const args = [inject('program'), 'acp', '--agent', command]
  const env = { ...own, ...agent.env, PATH, PITH_HOME: pithHome }
  const program = { file: process.execPath, args, cwd: place.workspace, env }
  const editor = await editorOf(program, ALLOW, async (started: Editor) => started)
  const { initialize, authenticate, session } = methods.agent
  await editor.agent.request(initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { session: { compaction: {} } },
  })
  if (agent.signIn !== undefined) await editor.agent.request(authenticate, { methodId: agent.signIn })
  const { sessionId } = await editor.agent.request(session.new, { cwd: place.workspace, mcpServers: [] })
  const gateways = () => readdirSync(join(pithHome, 'gateways')).map((file) => Number.parseInt(file, 10))
  return { editor, sessionId, gateways }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
