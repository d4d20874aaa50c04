import { resolve } from 'node:path'
import { bytes, counted } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import {
  type Deletion,
  deleteExpired,
  type ExpiryRule,
  expiredSessions,
  measureExpired,
} from '../../../server/retention/delete-expired.ts'
import type { Store } from '../../../store/store.ts'
import { isAgreed } from '../../output/ask.ts'
import { note, print, showProgress } from '../../output/show.ts'
import { EXIT, UsageError } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { hasStore, loadSetup, type Setup, withStore, withStoreToRead } from '../../setup/setup.ts'
import type { DeleteFlags } from './store.ts'

/** Deletes the sessions that the flags name, after a question, and says how many. Ctrl+C stops it between two sessions. */
export async function deleteSessions(flags: DeleteFlags): Promise<number> {
  if (flags.olderThan === undefined && flags.owner === undefined && flags.project === undefined)
    throw new UsageError('bad-argument', 'name the sessions: --older-than, --owner or --project')
  const setup = loadSetup({})
  const isAsked = flags.yes !== true && flags.dryRun !== true
  if (isAsked && !(process.stdin.isTTY && process.stderr.isTTY))
    throw new PithError('bad-argument', 'there is no terminal to ask on: look with --dry-run, then use --yes')
  if (!hasStore(setup)) {
    print('There are no such sessions')
    return EXIT.done
  }
  return (flags.dryRun === true ? withStoreToRead : withStore)(setup, (store) => deleteIn(store, setup, flags, isAsked))
}

async function deleteIn(store: Store, setup: Setup, flags: DeleteFlags, isAsked: boolean): Promise<number> {
  const expired = await expiredSessions(store, rulesOf(flags), Date.now())
  if (expired.length === 0) {
    print('There are no such sessions')
    return EXIT.done
  }
  if (isAsked || flags.dryRun === true) say('Would delete', await measureExpired(store, expired))
  if (flags.dryRun === true) return EXIT.done
  if (isAsked && !(await isAgreed('Delete them for good?'))) {
    note('Nothing was deleted.')
    return EXIT.done
  }
  const { settings } = setup.config
  const progress = (done: number, all: number) => showProgress(`Deleting… ${done} of ${counted(all, 'session')}`)
  const deletion = await interruptible((signal) =>
    deleteExpired({ store, settings, folders: setup.folders }, expired, { signal, progress }),
  ).finally(() => showProgress(''))
  say('Deleted', deletion)
  if (deletion.left === 0) return EXIT.done
  note(`Interrupted: ${counted(deletion.left, 'session')} left`)
  return EXIT.interrupted
}

/** A folder is named as a user writes it, or as a session has it: a workspace of a server has only a name. */
function rulesOf({ olderThan: olderThanMs = 0, owner, project }: DeleteFlags): ExpiryRule[] {
  const projects = project === undefined ? [undefined] : new Set([project, resolve(project)])
  return [...projects].map((each) => ({ olderThanMs, owner, project: each }))
}

function say(verb: string, { sessions, entries, bytes: length, kept }: Deletion): void {
  print(`${verb} ${counted(sessions, 'session')} with ${counted(entries, 'entry')} (${bytes(length)})`)
  for (const { session, entries: shared } of kept)
    print(`Session ${session}: forks keep ${counted(shared, 'entry')} that they share with it`)
}
