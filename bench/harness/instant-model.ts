import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type InstantModel = {
  /** The base URL of an OpenAI-compatible server, with its `/v1`. */
  readonly url: string
  /** The requests and bytes that were sent since the last call. */
  sent(): Promise<{ readonly requests: number; readonly bytes: number }>
  close(): Promise<void>
}

/** A model that answers every chat completion at once, over HTTP, on a thread of its own. */
export async function startInstantModel(): Promise<InstantModel> {
  const worker = new Worker(new URL('./instant-model-thread.ts', import.meta.url))
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
    async sent() {
      worker.postMessage('sent')
      const [sent] = (await once(worker, 'message')) as [{ requests: number; bytes: number }]
      return sent
    },
    async close() {
      await worker.terminate()
    },
  }
}
