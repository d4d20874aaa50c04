/** A request that the server refused. The message is one line: what is wrong, where, what to do. */
export class PithHttpError extends Error {
  readonly status: number
  /** Such as `unknown-session`; the docs of the HTTP API list them. */
  readonly code: string
  readonly requestId?: string

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.name = 'PithHttpError'
    this.status = status
    this.code = code
    if (requestId !== undefined) this.requestId = requestId
  }

  /** The refusal that an answer tells. A proxy on the way may answer in its own words. */
  static async of(response: Response): Promise<PithHttpError> {
    const text = await response.text().catch(() => '')
    const { code, message, request_id } = refusalIn(text)
    return new PithHttpError(
      response.status,
      code ?? 'no-pith-server',
      message ?? `the server answered ${response.status}`,
      request_id,
    )
  }
}

type Refusal = { readonly code?: string; readonly message?: string; readonly request_id?: string }

function refusalIn(text: string): Refusal {
  try {
    const answer = JSON.parse(text) as { error?: Refusal } | null
    return answer?.error ?? {}
  } catch {
    return {}
  }
}
