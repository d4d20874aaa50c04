import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { callsOf } from '../../../model/types.ts'
import { LiveSession } from '../../../session/live-session.ts'
import { answerModelRequest, type ModelRequest } from '../../../session/model-requests.ts'
import { LOCAL_OWNER, type Session, type SessionId, type Store } from '../../../store/store.ts'
import { storedContext } from '../../recall/own-session.ts'
import { hasStore, type Setup, withStore } from '../../setup/setup.ts'

/** True if the gateway with this name compacts the conversations that it records. */
export function isRewriting({ folders }: Setup, holder: string): boolean {
  return runningGateways(folders.data).some(({ recorder, mode }) => recorder === holder && mode === 'rewrite')
}

/**
 * Answers a request of a model about its own context. MCP alone cannot change what another agent sends: a gateway has to rewrite
 * the conversation, and it must be certain which one it is.
 */
export async function answerCaller(
  setup: Setup,
  holder: string,
  toolName: string,
  request: ModelRequest,
): Promise<string> {
  if (!hasStore(setup) || !isRewriting(setup, holder)) throw new PithError('not-allowed', NOT_REWRITTEN)
  return withStore(setup, async (store) => {
    const id = await callingSession(store, holder, toolName, request)
    if (id === undefined) throw new PithError('not-allowed', NOT_KNOWN)
    // The gateway is loaded only for this: most servers never get here.
    const { gatewayPolicy } = await import('../../setup/start-gateway.ts')
    const deps = { policy: gatewayPolicy(setup, 'rewrite'), registry: setup.models.registry }
    const session = storedContext(await LiveSession.open(store, id), deps)
    const isOwnTool = (name: string) => name.endsWith(toolName)
    const { ok, text } = await answerModelRequest(store, session, request, { isOwnTool })
    if (!ok) throw new PithError('not-allowed', text)
    return text
  })
}

const NOT_REWRITTEN =
  'The context of this agent cannot be changed: only a gateway in mode `rewrite` can do that (`pith wrap --mode rewrite`).'
const NOT_KNOWN = 'Nothing was changed: Pith cannot tell which conversation of this agent asks.'

/** The conversations of one agent that may be at work at the same time: its own, and those of its sub-agents. */
const MOST_CONVERSATIONS = 20
/** The gateway stores an answer when it has ended, and the agent may call at the same moment. */
const TRIES = 20
const PAUSE_MS = 100

/** The one conversation whose last answer has this call. Undefined if there is none, or if there are several. */
async function callingSession(
  store: Store,
  holder: string,
  toolName: string,
  request: ModelRequest,
): Promise<SessionId | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await pause(PAUSE_MS)
    const { sessions } = await store.sessions({ owner: LOCAL_OWNER, holder, limit: MOST_CONVERSATIONS })
    const calling: SessionId[] = []
    for (const session of sessions) if (await makesCall(store, session, toolName, request)) calling.push(session.id)
    if (calling.length > 0) return calling.length === 1 ? calling[0] : undefined
  }
  return undefined
}

/** Entries that may come after the answer, such as the sizes of the tools. */
const LAST_ENTRIES = 20

async function makesCall(
  store: Store,
  { id, lastSeq }: Session,
  toolName: string,
  request: ModelRequest,
): Promise<boolean> {
  const { entries } = await store.entries(id, { from: Math.max(1, lastSeq - LAST_ENTRIES), only: 'messages' })
  const last = entries.at(-1)
  if (last?.type !== 'message') return false
  return callsOf(last.message).some(
    (call) => call.toolName.endsWith(toolName) && isDeepStrictEqual(fieldsOf(call.input), fieldsOf(request)),
  )
}

/** Clients may add arguments of their own. */
function fieldsOf(input: unknown): readonly unknown[] {
  const { action, part, focus } = (typeof input === 'object' ? input : undefined) as Record<string, unknown>
  return [action, part, focus]
}
