import { connect, type Socket } from 'node:net'

/** A connection to a server that sends one request after the other. `fetch` would take about as much processor time as the server. */
export class PlainClient {
  readonly #url: string
  #socket: Socket | undefined
  #received = ''
  #answered: ((status: number) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Sends a request and returns the status of its answer. The next one may be sent after that. */
  post(path: string, token: string, body: string): Promise<number> {
    const lines = [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    this.#connected().write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket?.destroy()
  }

  /** A server closes a connection that has been silent for some seconds. */
  #connected(): Socket {
    if (this.#socket?.destroyed === false) return this.#socket
    const socket = connect(Number(new URL(this.#url).port), '127.0.0.1')
      .setNoDelay()
      .setEncoding('latin1')
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')))
    this.#socket = socket
    return socket
  }

  #receive(text: string): void {
    this.#received += text
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#received.slice(0, end))?.[1])
    if (!Number.isInteger(length)) return this.#failed?.(new Error('an answer has no length'))
    if (this.#received.length < end + 4 + length) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    this.#answered?.(status)
  }
}
