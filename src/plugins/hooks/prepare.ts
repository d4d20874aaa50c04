/** Checks the last summary of a session and leaves the addition for the next hook: `prepare.mjs SESSION`, in the background. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '../../config/places/folders.ts'
import { HookFiles, logFault } from './hook-files.ts'
import { preparedAddition } from './prepared-addition.ts'

/** Claude Code writes the summary into its file some moments after it has told the hook. */
const TRIES = 6
const PAUSE_MS = 200

const [, , session = ''] = process.argv
const data = dataFolder()
const files = new HookFiles(data, session)
try {
  const job = files.job()
  if (job !== undefined) files.finish(job, await checked(job.transcript, job.summary))
} catch (error) {
  files.end()
  logFault(data, 'prepare', error)
}

async function checked(transcript: string, summary: string) {
  for (let tries = 0; ; tries++) {
    const last = tries === TRIES
    const prepared = preparedAddition(readFileSync(transcript, 'utf8'), summary, { isLast: last })
    if (prepared !== undefined) return prepared
    await sleep(PAUSE_MS)
  }
}
