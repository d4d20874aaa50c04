import { PithError } from '../../model/problems/errors.ts'
import { isUnanswered } from './connection.ts'

/** Runs `work`. An error of PostgreSQL or the network becomes one line that says what to do. */
export async function withServerErrors<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw clearError(where, error)
  }
}

/** The address of a database without user and password. */
export function addressOf(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  return `postgres://${host}${pathname}`
}

function clearError(where: string, error: unknown): unknown {
  if (error instanceof PithError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const why = lineOf(error)
  if (code === 'ERR_INVALID_URL') {
    return new PithError('bad-argument', 'The address of the PostgreSQL database is not a valid URL')
  }
  if (DAMAGED.test(code)) {
    const message = `${where} is damaged (${why}): it was left as it is; restore a backup`
    return new PithError('store-damaged', message, { cause: error })
  }
  if (isUnanswered(error)) {
    const message = `${where} did not answer in time: what was sent last may be saved or not; check the server and the network`
    return new PithError('store-unwritable', message, { cause: error })
  }
  if (
    UNWRITABLE.test(code) ||
    /^Connection terminated|timeout exceeded when trying to connect|timeout expired/.test(why)
  ) {
    const message = `${where} cannot be used (${why}): nothing that was saved is lost; check the server and the permissions`
    return new PithError('store-unwritable', message, { cause: error })
  }
  return error
}

/** The server found broken pages. */
const DAMAGED = /^XX00[12]$/

/** No connection, wrong login, no such database, no permission, read-only, no space, shutting down; or no network. */
const UNWRITABLE =
  /^(?:08...|28...|3D000|3F000|42501|25006|53...|57P..|58...|E(?:CONN|PIPE|NOTFOUND|TIMEDOUT|HOST|NET|AI_).*)$/

/** The message in one line. A refused connection has none of its own, only one for each address that was tried. */
function lineOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : []
  if (first instanceof Error) return lineOf(first)
  return (error.message || String(error)).replace(/\s+/g, ' ')
}
