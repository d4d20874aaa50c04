import { runHook } from '../../../agent/compaction/hooks.ts'
import { unchangedText } from '../../../engine/report/outcome.ts'
import type { SessionCompactResult } from '../../../session/compact-session.ts'
import { HttpError } from '../../http/http-error.ts'
import { commandEnv } from '../../sessions/command-env.ts'
import type { Services } from '../../sessions/services.ts'

/** The user's hook before a compaction: what it prints is added to the focus, and it may refuse. */
export async function beforeCompaction(
  services: Services,
  about: { readonly session: string; readonly reason: string; readonly focus?: string },
  signal: AbortSignal,
): Promise<string> {
  const hook = services.settings.hooks.beforeCompaction
  if (hook === undefined) return about.focus ?? ''
  const ran = await runHook(hook, { event: 'before_compaction', ...about }, placeOf(services, signal))
  if (ran.kind === 'no')
    throw new HttpError(409, 'refused-by-hook', unchangedText({ outcome: 'refused', reason: ran.reason }))
  // One that is broken says neither yes nor no: a session must not fill up because of it.
  return [about.focus ?? '', ran.kind === 'ok' ? ran.text : ''].filter((text) => text !== '').join('\n')
}

/** The user's hook after a compaction; what goes wrong with it does not change what came of that. */
export async function afterCompaction(
  services: Services,
  session: string,
  result: SessionCompactResult,
  signal: AbortSignal,
): Promise<void> {
  const hook = services.settings.hooks.afterCompaction
  if (hook === undefined) return
  const { outcome, reason, tokensBefore, tokensAfter, messagesRemoved } = result
  const about = {
    event: 'after_compaction',
    session,
    outcome,
    reason,
    tokensBefore,
    tokensAfter,
    messagesRemoved,
    summary: result.compacted ? result.summary : undefined,
  }
  await runHook(hook, about, placeOf(services, signal))
}

function placeOf(services: Services, signal: AbortSignal) {
  return { cwd: services.folders.data, env: commandEnv(services), signal }
}
