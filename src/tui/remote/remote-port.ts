import { changeSessionRoute } from '../../contract/routes/session-routes.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { JobsPort, McpPort, Port, PortEvent, RewindPort, SessionsPort } from '../port/port.ts'
import { refusal } from '../port/shared.ts'
import { RemoteClient, type RemoteServer } from './remote-client.ts'
import { remoteContext, remoteSettings } from './remote-context.ts'
import { RemoteSessions } from './remote-sessions.ts'
import { RemoteWork } from './remote-work.ts'

export type RemoteOptions = RemoteServer & {
  /** The server's workspace for new sessions. By default the only one, if the server has exactly one. */
  readonly workspace?: string
  /** Which session to open; a new one by default. */
  readonly open: { readonly kind: 'new' | 'continue' } | { readonly kind: 'id'; readonly id: string }
}

/** A session on a server. */
export async function openRemotePort(options: RemoteOptions): Promise<Port> {
  const client = new RemoteClient(options)
  const listeners = new Set<(event: PortEvent) => void>()
  const emit = (event: PortEvent) => {
    for (const listener of listeners) listener(event)
  }
  const sessions = await RemoteSessions.open(client, options, emit)
  const work = new RemoteWork(client, () => sessions.current, emit)
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened: () => sessions.opened(),
    say: (text) => work.say(text),
    steer: (text) => work.steer(text),
    // The server has no list of them.
    typed: async () => [],
    shell: async () => emit({ type: 'notice', text: 'Commands run only in a session on this machine', tone: 'error' }),
    compact: (focus) => work.compact(focus),
    interrupt: () => work.interrupt(),
    answer: (question, answer) => work.answer(question, answer),
    ownCommands: async () => [],
    // Completing a file name may fail silently. The user's next action shows that the server does not answer.
    files: (query) => sessions.current.files(query).catch(() => []),
    close: async () => {
      await work.stop()
      await sessions.leave()
    },
    ...remoteContext(client, sessions),
    ...remoteSettings(client, sessions, emit),
    ...remoteSessions(sessions, work, options.workspace),
    ...remoteRewind(sessions, work),
    ...NO_MCP,
    ...NO_JOBS,
  }
}

/** Goes back in a conversation on a server. The files are on the server and do not change. */
function remoteRewind(sessions: RemoteSessions, work: RemoteWork): RewindPort {
  return {
    rewindReport: async () => ({ files: [], lost: [], unavailable: FILES_ELSEWHERE }),
    rewind: async ({ to, conversation }) => {
      if (!conversation) return refusal(FILES_ELSEWHERE)
      await work.stop()
      return sessions.fork(to)
    },
  }
}

const MCP_ELSEWHERE = 'MCP servers run only with a session on this machine: leave out --server'

const NO_MCP: McpPort = {
  mcp: async () => ({ servers: [], unavailable: MCP_ELSEWHERE }),
  trustMcp: async () => refusal(MCP_ELSEWHERE),
}

const JOBS_ELSEWHERE = 'Commands run on the server: ask the agent to list or stop those in the background'

const NO_JOBS: JobsPort = {
  jobs: async () => ({ jobs: [], unavailable: JOBS_ELSEWHERE }),
  toBackground: async () => refusal(JOBS_ELSEWHERE),
  jobOutput: async () => '',
  stopJob: async () => refusal(JOBS_ELSEWHERE),
  detachJob: async () => refusal(JOBS_ELSEWHERE),
}

const FILES_ELSEWHERE = 'The files are on the server: only the conversation can go back from here'

function remoteSessions(
  sessions: RemoteSessions,
  work: RemoteWork,
  workspace: RemoteOptions['workspace'],
): SessionsPort {
  return {
    sessions: () => sessions.list(),
    openSession: async (id) => {
      await work.stop()
      return sessions.switchTo(id)
    },
    forkHere: async () => refusal('The sessions of a server work in its own folders'),
    newSession: async () => {
      await work.stop()
      return sessions.create(workspace)
    },
    fork: async (before) => {
      await work.stop()
      return sessions.fork(before)
    },
    openExample: async () => refusal('The example needs a session on this machine: leave out --server'),
    rename: (title) => sessions.change(changeSessionRoute, { body: { title } }),
  }
}

/** The server of an address. The token is in its fragment or comes separately. */
export function serverOf(address: string, token: string | undefined): RemoteServer {
  const whole = /^https?:\/\//.test(address) ? address : `http://${address}`
  if (!URL.canParse(whole))
    throw new PithError(
      'bad-argument',
      `${address} is not the address of a server: write --server http://127.0.0.1:7484`,
    )
  const { origin, pathname, hash } = new URL(whole)
  const found = token ?? new URLSearchParams(hash.slice(1)).get('token')
  if (found === null || found === '')
    throw new PithError(
      'bad-argument',
      'a server needs a token: add --token or set PITH_TOKEN; pith serve token add creates one',
    )
  return { url: `${origin}${pathname}`, token: found }
}
