import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolder } from '../../config/index.ts'
import { writePrivate } from '../../config/write/write-private.ts'
import { statusOf } from '../../engine/context/open-context.ts'
import { activeCompactions } from '../../engine/context/view/activity.ts'
import { decode, formatNamed } from '../../formats/index.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { modelNamed } from '../../models/registry.ts'
import { importedLog } from '../../session/import/import-session.ts'
import { importedSystem, originIn, ownModel } from '../../session/import/origin.ts'
import { peekSession } from '../../session/open-session.ts'
import { agentTitle, untitledWords } from '../../session/session-title.ts'
import type { Session, SessionQuery, Store } from '../../store/store.ts'
import { keyOrNone } from '../process/own-seal.ts'
import { knownModels, type Setup, sessionsIn } from '../setup/setup.ts'
import { fileEnds } from './agent-index.ts'
import type { SessionFile } from './find-session-files.ts'

/** The facts of a session that a list shows. */
export type SessionFacts = z.infer<typeof sessionFactsSchema>
const sessionFactsSchema = z.object({
  title: z.string().optional(),
  workspace: z.string().optional(),
  model: z.string().optional(),
  messages: z.number(),
  compactions: z.number(),
  tokens: z.number(),
  /** Only where it is not the model's own, which the registry may know better tomorrow. */
  window: z.number().optional(),
  /** The window is assumed: nothing names it. */
  isWindowGuess: z.literal(true).optional(),
  /** By these a file and a session that a gateway recorded are known as one conversation. */
  ends: z
    .object({
      first: z.array(z.string()).readonly(),
      last: z.array(z.string()).readonly(),
      record: z.string().optional(),
    })
    .optional(),
})

/** A file that could not be read, and why. */
export type UnreadableFile = z.infer<typeof unreadableFileSchema>
const unreadableFileSchema = z.object({ unreadable: z.string() })

/** Reads a session of another agent for the facts that a list shows. It never throws over what it reads. */
export async function factsOfFile(file: SessionFile, setup: Setup): Promise<SessionFacts | UnreadableFile> {
  try {
    const read = await decode(file.read())
    if (!read.ok) return { unreadable: read.text }
    const { session } = read
    const log = importedLog(session, knownModels(setup))
    const { name: model, info, guess } = ownModel(log, setup.models.registry)
    const { tokens } = statusOf(log, {
      model: info,
      fixed: { system: importedSystem(log, session.system.join('\n\n')) },
    })
    const { workspace } = session
    return {
      title: agentTitle(session),
      workspace,
      model,
      window:
        info.contextWindow === modelNamed(setup.models.registry, model).contextWindow ? undefined : info.contextWindow,
      isWindowGuess: guess === undefined ? undefined : true,
      messages: session.counts.messages,
      compactions: session.compactions.length,
      tokens,
      ends: fileEnds(session.entries, keyOrNone(dataFolder())),
    }
  } catch (error) {
    return {
      unreadable: `${formatNamed(file.format).label}: ${messageOf(error)}`,
    }
  }
}

const VERSION = 6

const cacheSchema = z.object({
  version: z.literal(VERSION),
  files: z.record(
    z.string(),
    z.object({ modifiedAt: z.number(), size: z.number(), facts: z.union([sessionFactsSchema, unreadableFileSchema]) }),
  ),
})
type Cache = z.infer<typeof cacheSchema>

/** The facts that lists have read of session files before, so that a file is read again only after it has changed. */
export class FactsCache {
  readonly #path = join(dataFolder(), 'session-facts.json')
  readonly #files: Map<string, Cache['files'][string]>
  #isChanged = false

  constructor() {
    this.#files = new Map(Object.entries(readCache(this.#path).files))
  }

  get(file: SessionFile): SessionFacts | UnreadableFile | undefined {
    const known = this.#files.get(keyOf(file))
    return known?.modifiedAt === file.modifiedAt && known.size === file.size ? known.facts : undefined
  }

  set(file: SessionFile, facts: SessionFacts | UnreadableFile): void {
    this.#files.set(keyOf(file), { modifiedAt: file.modifiedAt, size: file.size, facts })
    this.#isChanged = true
  }

  /** Writes the facts that are new, without files that are gone. Where it cannot be written, the next list is slower. */
  save(there: readonly SessionFile[]): void {
    if (!this.#isChanged) return
    const keys = new Set(there.map(keyOf))
    const files = Object.fromEntries([...this.#files].filter(([key]) => keys.has(key)))
    try {
      writePrivate(this.#path, JSON.stringify({ version: VERSION, files }))
    } catch {}
  }
}

function keyOf({ path, id }: SessionFile): string {
  return `${path}#${id}`
}

function readCache(path: string): Cache {
  try {
    return cacheSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { version: VERSION, files: {} }
  }
}

/** Our own sessions, or those of a query, the most recently changed first, without empty ones. */
export async function ownSessions(store: Store, query: SessionQuery = {}): Promise<Session[]> {
  const found: Session[] = []
  for await (const session of sessionsIn(store, query)) if (session.lastSeq > 0) found.push(session)
  return found
}

/** The facts of one of our sessions, without reading the messages that its summaries replaced. */
export async function factsOfOwn(store: Store, session: Session, setup: Setup): Promise<SessionFacts> {
  const { log } = await peekSession(store, session.id)
  const { entries } = await store.entries(session.id, { only: 'changes', light: true })
  const { name: model, info, guess } = ownModel(log, setup.models.registry)
  return {
    title: session.title ?? (await untitledWords(store, session)),
    workspace: session.workspace,
    model,
    window: info.contextWindow,
    isWindowGuess: guess === undefined ? undefined : true,
    messages: session.lastSeq - entries.length,
    compactions: activeCompactions(entries),
    tokens: statusOf(log, { model: info, fixed: { system: importedSystem(log, originIn(log)?.system) } }).tokens,
  }
}
