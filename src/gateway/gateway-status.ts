import { z } from 'zod'
import { STATUS_PATH } from './access.ts'
import type { RequestRecord } from './recording/request-log.ts'
import { type GatewayNotice, runningGateways } from './running-gateways.ts'

const recordSchema = z.object({
  at: z.number(),
  upstream: z.string(),
  path: z.string(),
  face: z.enum(['anthropic', 'openai-chat', 'openai-responses', 'gemini']).optional(),
  model: z.string().optional(),
  session: z.string().optional(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  answerBytes: z.number(),
  inputTokens: z.number().optional(),
  cachedTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  status: z.number().optional(),
  why: z.string(),
  ownMs: z.number(),
})
const statusSchema = z.object({ mode: z.string(), requests: z.number(), records: z.array(recordSchema) })

/** The status that a gateway reports. */
export type GatewayStatus = z.infer<typeof statusSchema>

/** Asks a gateway of this machine; undefined when it does not answer. */
export async function gatewayStatus({ port, prefix }: GatewayNotice): Promise<GatewayStatus | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(`http://127.0.0.1:${port}/${prefix}/${STATUS_PATH}`, { signal }).catch(() => undefined)
  const status = statusSchema.safeParse(await response?.json().catch(() => undefined))
  return status.success ? status.data : undefined
}

const PATIENCE_MS = 2_000

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
