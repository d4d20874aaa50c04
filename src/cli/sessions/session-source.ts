import { createReadStream, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { appended, logOf } from '../../engine/context/view/log.ts'
import { fileIssueLine } from '../../engine/report/issue-lines.ts'
import { counted } from '../../engine/report/numbers.ts'
import type { WindowGuess } from '../../engine/report/status-text.ts'
import { type DecodedSession, decode, formatNamed, type Pieces, READABLE_FORMATS } from '../../formats/index.ts'
import { messageOf, PithError, unreachable } from '../../model/problems/errors.ts'
import { callsOf, type ModelInfo, modelName, type Origin } from '../../model/types.ts'
import { resolveModel } from '../../models/registry.ts'
import { exportSession } from '../../session/export-session.ts'
import { modelWithWindow, originIn, originOf, ownModel } from '../../session/import/origin.ts'
import { type BadRow, type SessionId, type Store, TASK_HOLDER } from '../../store/store.ts'
import { EXAMPLE_MODEL, EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../example/example-session.ts'
import { note } from '../output/show.ts'
import { UsageError } from '../process/exit-codes.ts'
import { hasStore, knownModels, type Setup, sessionsIn, withStoreToRead } from '../setup/setup.ts'
import { findSessionFiles, type SessionFile } from './find-session-files.ts'

/** A session that a command was given: a file of any agent, one that an agent keeps on this machine, one of ours, or the example. */
export type SessionSource = {
  /** The name in messages to the user. */
  readonly name: string
  readonly session: DecodedSession
  /** The agent that it comes from, as an import notes it. */
  readonly origin: Origin | undefined
  /** The model of its last answer, if it is known. */
  readonly model: Partial<ModelInfo>
  /** Why the window of the model is a guess, if it is one. */
  readonly guess?: WindowGuess
  /** Its id, if it is one of our own sessions. */
  readonly id?: SessionId
  /** Where it can be read again; absent for standard input. */
  readonly place?: SourcePlace
  /** Entries of our store that cannot be read. */
  readonly damaged?: readonly BadRow[]
}

/** The place of a session, so that it can be opened later. */
export type SourcePlace = z.infer<typeof sourcePlaceSchema>
export const sourcePlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path: z.string() }),
  z.object({ kind: z.literal('stored'), id: z.string() }),
  z.object({ kind: z.literal('agent'), format: z.enum(READABLE_FORMATS), id: z.string() }),
  z.object({ kind: z.literal('example') }),
])

/** The agent that worked in a session: of one that was imported, the one that it comes from. */
export function agentOf({ session, origin }: Pick<SessionSource, 'session' | 'origin'>): string {
  return origin?.agent ?? session.agent
}

/** Opens what the user named; an error says in one line what it is not. */
export async function openSource(what: string, setup: Setup): Promise<SessionSource> {
  if (what === '-') return decodedSource('standard input', process.stdin.setEncoding('utf8'), setup)
  const stats = statsOf(what)
  if (stats?.isDirectory() === true)
    throw new PithError('bad-argument', `${what} is a directory: name one session file in it, or see pith sessions`)
  if (stats !== undefined) return pathSource(what, setup)
  if (what === EXAMPLE_NAME) return exampleSource()
  const source = (await startedSource(what, setup)) ?? (await agentSource(what, setup))
  if (source !== undefined) return source
  if (/[\\/]|\.\w+$/.test(what)) throw new PithError('bad-argument', `there is no file ${what}`)
  throw new PithError('unknown-session', `there is no file and no session ${what}: pith sessions lists them`)
}

/** Opens a session at its place; an error if it is no longer there. */
export async function openPlace(place: SourcePlace, setup: Setup): Promise<SessionSource> {
  switch (place.kind) {
    case 'file':
      return pathSource(place.path, setup)
    case 'stored':
      if (!hasStore(setup)) throw new PithError('unknown-session', `there is no ${placeName(place)}`)
      return storedSource(place.id, setup)
    case 'agent': {
      const file = findSessionFiles().find(({ format, id }) => format === place.format && id === place.id)
      if (file === undefined) throw new PithError('unknown-session', `there is no ${placeName(place)}`)
      return fileSource(file, setup)
    }
    case 'example':
      return exampleSource()
    default:
      return unreachable(place)
  }
}

/** The name of a place in messages to the user. */
export function placeName(place: SourcePlace): string {
  switch (place.kind) {
    case 'file':
      return place.path
    case 'stored':
      return `session ${place.id}`
    case 'agent':
      return `session ${place.id} of ${formatNamed(place.format).label}`
    case 'example':
      return 'the example'
    default:
      return unreachable(place)
  }
}

async function pathSource(path: string, setup: Setup): Promise<SessionSource> {
  const source = await decodedSource(path, createReadStream(path, 'utf8'), setup)
  return { ...source, place: { kind: 'file', path: resolve(path) } }
}

/** A path that may not be looked at, or that is too long for a path, counts as not found. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** The id of one of our sessions from its first characters, or undefined. */
export async function storedId(store: Store, what: string): Promise<SessionId | undefined> {
  const exact = await store.session(what)
  if (exact !== undefined) return exact.id
  const alike: SessionId[] = []
  for (const holder of [undefined, TASK_HOLDER])
    for await (const { id } of sessionsIn(store, { holder })) if (isStartOf(what, id)) alike.push(id)
  return onlyOne(what, alike)
}

/** The id of one of our sessions, or an error that says how to take in a session of another agent. */
export async function requireStoredId(store: Store, what: string, env = process.env): Promise<SessionId> {
  const id = await storedId(store, what)
  if (id !== undefined) return id
  const foreign = foreignText(what, env)
  throw new PithError('unknown-session', foreign ?? `there is no session ${what}: pith sessions lists them`)
}

/** Says that the user named a session that another agent keeps on this machine; undefined where none is called so. */
function foreignText(what: string, env = process.env): string | undefined {
  const file = findSessionFiles(env).find(({ id }) => isStartOf(what, id))
  if (file === undefined) return undefined
  return `${what} is a session of ${formatNamed(file.format).label}, and this works with Pith’s own: pith import ${what} takes it in first`
}

async function startedSource(what: string, setup: Setup): Promise<SessionSource | undefined> {
  if (!hasStore(setup)) return undefined
  const id = await withStoreToRead(setup, (store) => storedId(store, what))
  return id === undefined ? undefined : storedSource(id, setup)
}

/** Reads one of our sessions by its whole id. */
export async function storedSource(id: SessionId, setup: Setup): Promise<SessionSource> {
  return withStoreToRead(setup, async (store) => {
    const damaged: BadRow[] = []
    const onBad = (rows: readonly BadRow[]) => damaged.push(...rows)
    const pieces = withEnds(exportSession(store, id, 'keep', onBad))
    const source = await decodedSource(`session ${id}`, pieces, setup)
    if (damaged.length > 0) {
      const are = damaged.length === 1 ? 'is' : 'are'
      const names = damaged.map(({ seq, reason }) => `#${seq} (${reason})`).join(', ')
      note(`${counted(damaged.length, 'entry')} of this session cannot be read and ${are} left out: ${names}`)
    }
    return { ...source, id, place: { kind: 'stored', id }, damaged }
  })
}

/** Reads a session that an agent keeps on this machine. */
export async function fileSource(file: SessionFile, setup: Setup): Promise<SessionSource> {
  const { format, id } = file
  return { ...(await decodedSource(file.path, file.read(), setup)), place: { kind: 'agent', format, id } }
}

async function agentSource(what: string, setup: Setup): Promise<SessionSource | undefined> {
  const files = findSessionFiles().filter((file) => isStartOf(what, file.id))
  const id = onlyOne(
    what,
    files.map((file) => file.id),
  )
  const file = files.find((file) => file.id === id)
  return file === undefined ? undefined : fileSource(file, setup)
}

/** Reads a session from its text. */
export async function decodedSource(name: string, pieces: Pieces, setup: Setup): Promise<SessionSource> {
  const read = await decode(pieces).catch((error: unknown) => {
    const why = messageOf(error)
    throw new PithError('bad-session', `${name} cannot be read: ${why}`)
  })
  if (!read.ok) throw new PithError('bad-session', `${name}: ${read.text}`)
  const { session } = read
  if (session.cut !== undefined) note(fileIssueLine(session.cut))
  const origin = originOf(session, knownModels(setup)) ?? originIn(session.entries)
  const { info: model, guess } = ownModel(session.entries, setup.models.registry, origin)
  return { name, session, origin, model, guess }
}

function isStartOf(what: string, id: string): boolean {
  return what.length >= 4 && id.startsWith(what)
}

function onlyOne(what: string, ids: readonly string[]): string | undefined {
  const [first, ...others] = new Set(ids)
  if (others.length === 0) return first
  const some = [first, ...others].slice(0, 3).join(', ')
  throw new PithError(
    'unknown-session',
    `${what} is the start of ${others.length + 1} sessions (${some} …): write more`,
  )
}

async function* withEnds(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`
}

/** The name under which every command takes the session that comes with Pith. */
const EXAMPLE_NAME = 'example'

/** The session that comes with Pith. Its messages have the handles that they have in the terminal's example. */
function exampleSource(): SessionSource {
  // An origin, not a chosen model: users who continue an imported example use their own model.
  const origin = { agent: 'Pith', model: modelName(EXAMPLE_MODEL), window: EXAMPLE_WINDOW }
  const entries = appended(logOf(EXAMPLE_SESSION), [{ type: 'settings', origin }])
  const messages = EXAMPLE_SESSION.length
  const calls = EXAMPLE_SESSION.reduce((sum, message) => sum + callsOf(message).length, 0)
  const session: DecodedSession = {
    format: 'pith',
    agent: 'Pith',
    title: 'Example',
    models: [],
    system: [],
    entries,
    compactions: [],
    sidechains: [],
    issues: [],
    counts: {
      lines: messages,
      issues: 0,
      recordedMessages: messages,
      recordedCalls: calls,
      messages,
      calls,
      results: calls,
    },
  }
  return { name: 'the example', session, origin, model: EXAMPLE_MODEL, place: { kind: 'example' } }
}

/** The model to measure a session with: the named one or its own, with the named window if there is one. */
export function measuredModel(
  { model, guess }: SessionSource,
  wanted: { readonly model?: string; readonly window?: number },
  setup: Setup,
): Pick<SessionSource, 'model' | 'guess'> {
  const info = wanted.model === undefined ? model : flagModel(wanted.model, setup)
  if (wanted.window === undefined) return wanted.model === undefined ? { model, guess } : { model: info }
  return { model: modelWithWindow(info, wanted.window) }
}

/** A model of a provider that Pith does not know has a name, and its window comes from `--window`. */
function flagModel(name: string, { models }: Setup): ModelInfo {
  try {
    return resolveModel(models.registry, name)
  } catch (error) {
    throw error instanceof PithError ? new UsageError(error.code, error.message) : error
  }
}

/** The name of a model that may be known in part. */
export function modelLabel({ provider, model }: Partial<ModelInfo>): string {
  return provider === undefined ? (model ?? 'unknown model') : `${provider}/${model}`
}
