import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readConfigText } from '../config/read/read-config-file.ts'
import { writePrivate } from '../config/write/write-private.ts'
import { isDead } from '../session/compaction/holder.ts'

const schema = z.object({
  holder: z.string(),
  /** The name that its sessions are recorded under: for a wrapped agent that of the agent's process. */
  recorder: z.string().optional(),
  port: z.number(),
  prefix: z.string(),
  mode: z.string(),
})

/** A gateway that runs on this machine. It has the secret prefix: its file is for the user only. */
export type GatewayNotice = z.infer<typeof schema>

/** Leaves a notice of a gateway in the data folder, for `pith gateway status`. Returns a function that removes it. */
export function announceGateway(folder: string, notice: GatewayNotice): () => void {
  const file = join(noticesIn(folder), `${process.pid}-${notice.port}.json`)
  writePrivate(file, JSON.stringify(notice))
  return () => rmSync(file, { force: true })
}

/** The gateways that run. Notices of processes that were killed are removed if the folder is writable. */
export function runningGateways(folder: string): readonly GatewayNotice[] {
  const place = noticesIn(folder)
  return namesIn(place).flatMap((name) => {
    const notice = noticeIn(join(place, name))
    if (notice !== undefined && !isDead(notice.holder)) return [notice]
    remove(join(place, name))
    return []
  })
}

/** The files of the notices. Empty if the folder cannot be read, or does not exist because no gateway has run yet. */
function namesIn(place: string): readonly string[] {
  try {
    return readdirSync(place)
  } catch {
    return []
  }
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
    return schema.parse(JSON.parse(readConfigText(file) ?? ''))
  } catch {
    return undefined
  }
}
