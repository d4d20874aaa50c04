import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fileNames } from '../config/places/file-names.ts'
import { readConfigText } from '../config/read/read-config-file.ts'
import { keepPrivate, writePrivate } from '../config/write/write-private.ts'
import { isDead } from '../session/compaction/hold-lease.ts'
import { SECRET_HEADER, STATUS_PATH } from './access.ts'
import { type RequestRecord, requestRecordSchema } from './recording/request-log.ts'

const noticeSchema = z.object({
  holder: z.string(),
  /** The name that its sessions are recorded under: for a wrapped agent that of the agent's process. */
  recorder: z.string().optional(),
  port: z.number(),
  prefix: z.string(),
  mode: z.string(),
})

/** A gateway that runs on this machine. It has the secret prefix: its file is for the user only. */
export type GatewayNotice = z.infer<typeof noticeSchema>

/** Leaves a notice of a gateway in the data folder, for `pith gateway status`. Returns a function that removes it. */
export function announceGateway(folder: string, notice: GatewayNotice): () => void {
  const file = join(noticesIn(folder), `${process.pid}-${notice.port}.json`)
  writePrivate(file, JSON.stringify(notice))
  return () => rmSync(file, { force: true })
}

/** The gateways that run. Notices of processes that were killed are removed if the folder is writable. */
export function runningGateways(folder: string): readonly GatewayNotice[] {
  const place = noticesIn(folder)
  return fileNames(place).flatMap((name) => {
    const notice = noticeIn(join(place, name))
    if (notice !== undefined && !isDead(notice.holder)) return [notice]
    remove(join(place, name))
    return []
  })
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Listing the gateways must work without write permission, too.
  }
}

function noticesIn(folder: string): string {
  return join(folder, 'gateways')
}

function noticeIn(file: string): GatewayNotice | undefined {
  try {
    return noticeSchema.parse(JSON.parse(readConfigText(file) ?? ''))
  } catch {
    return undefined
  }
}

const statusSchema = z.object({
  mode: z.string(),
  /** The upstreams at the address of the provider that they are named after. Earlier versions do not say it. */
  ownAddresses: z.array(z.string()).optional(),
  requests: z.number(),
  records: z.array(requestRecordSchema),
})

/** The status that a gateway reports. */
export type GatewayStatus = z.infer<typeof statusSchema>

/** Asks a gateway of this machine; undefined when it does not answer. */
export function gatewayStatus({ port, prefix }: GatewayNotice): Promise<GatewayStatus | undefined> {
  return statusAt(`http://127.0.0.1:${port}`, prefix)
}

/** Asks the gateway at an address; undefined when it does not answer, or not to this secret. */
export async function statusAt(url: string, secret: string): Promise<GatewayStatus | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const headers = { [SECRET_HEADER]: secret }
  const response = await fetch(`${url}/${STATUS_PATH}`, { signal, headers }).catch(() => undefined)
  const status = statusSchema.safeParse(await response?.json().catch(() => undefined))
  return status.success ? status.data : undefined
}

const PATIENCE_MS = 5_000

/** The last requests of a session through the gateways that run on this machine, the oldest first. */
export async function sessionRequests(folder: string, session: string): Promise<readonly RequestRecord[]> {
  const statuses = await Promise.all(runningGateways(folder).map(gatewayStatus))
  return requestsInSession(
    session,
    statuses.flatMap((status) => status?.records ?? []),
  )
}

/** The requests of one session, in order. */
export function requestsInSession(session: string, records: readonly RequestRecord[]): readonly RequestRecord[] {
  return records.filter((record) => record.session === session).toSorted((a, b) => a.at - b.at)
}

/** The prefix of this installation, from the environment or from a file that only the user may read. It stays the same, so clients stay configured. */
export function gatewayPrefix(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const given = env[PREFIX_VARIABLE]?.trim()
  if (given !== undefined && /^[\w-]{16,}$/.test(given)) return given
  const file = join(folder, 'gateway-prefix')
  const stored = readConfigText(file)?.trim()
  if (stored !== undefined && /^[\w-]{16,}$/.test(stored)) {
    keepPrivate(file)
    return stored
  }
  const made = randomBytes(24).toString('base64url')
  writePrivate(file, `${made}\n`)
  return made
}

/** The variable that may hold the prefix. It is not a flag, because every user of the machine can read a command line. */
const PREFIX_VARIABLE = 'PITH_GATEWAY_PREFIX'
