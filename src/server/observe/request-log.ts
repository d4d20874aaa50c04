/** What the log of a server says of a request. Secrets are in no field: no query, no header, no body. */
export type RequestLine = {
  readonly at: string
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly token?: string
  /** What went wrong inside, for who runs the server. */
  readonly error?: string
}

/** Writes a line of JSON to standard error. */
export function logToStandardError(line: RequestLine): void {
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
