import type { PeerTask } from '../harness/peer.ts'

/** One answer of an OpenAI-compatible server, for peers whose own client speaks another protocol. */
export async function complete(system: string, prompt: string, { url, model }: PeerTask): Promise<string> {
  const messages = [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }]
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages }),
  })
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
  const body = (await response.json()) as { choices?: { message?: { content?: string } }[] }
  return body.choices?.[0]?.message?.content ?? ''
}
