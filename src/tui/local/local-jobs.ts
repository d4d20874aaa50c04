import { Jobs } from '../../agent/processes/jobs.ts'
import type { JobsPort, PortEvent } from '../port/port.ts'
import { firstLine, safeText } from '../port/safe-text.ts'
import { DONE, refusal } from '../port/shared.ts'
import type { LocalSetup } from './local-sessions.ts'

/** The background commands of all sessions that this program has open. */
export function localJobs({ folders, clock }: LocalSetup, emit: (event: PortEvent) => void): Jobs {
  return new Jobs({
    folder: folders.data,
    clock: clock ?? Date.now,
    notify: (text) => emit({ type: 'notice', text }),
    onRunning: (running) => emit({ type: 'jobs', running }),
  })
}

const OUTPUT_CHARACTERS = 4_000
const OUTPUT_LINES = 30

export function localJobsPort(jobs: Jobs, now: () => number): JobsPort {
  return {
    jobs: async () => ({
      jobs: jobs.all.map(({ id, command, state, startedAt, endedAt, exit, output }) => ({
        id,
        command: firstLine(command, 200),
        state,
        ms: (endedAt ?? now()) - startedAt,
        exit,
        lastLine: firstLine(endOf(output(), 1), 200),
      })),
    }),
    toBackground: async () => (jobs.sendToBackground() ? DONE : refusal('No command runs in the foreground')),
    jobOutput: async (id) => endOf(jobs.all.find((job) => job.id === id)?.output() ?? '', OUTPUT_LINES),
    stopJob: async (id) => {
      await jobs.stop(id, 'the user stopped it')
      return DONE
    },
    detachJob: async (id) => jobs.detach(id),
  }
}

/** The last lines of an output that are not empty. */
function endOf(output: string, lines: number): string {
  return safeText(output.slice(-OUTPUT_CHARACTERS)).trimEnd().split('\n').slice(-lines).join('\n')
}
