/**
 * One answer of a server that speaks the OpenAI protocol (MODEL_URL, MODEL, MODEL_KEY): used by the examples that ask a model.
 * pith eval --compactor ./plain-prompt.ts
 */
type Answer = {
  choices: { message: { content: string } }[]
  usage?: { prompt_tokens: number; completion_tokens: number }
}

export async function chat(messages: readonly object[], maxTokens?: number, signal?: AbortSignal) {
  const response = await fetch(`${process.env.MODEL_URL ?? 'http://localhost:11434/v1'}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.MODEL_KEY ?? ''}` },
    body: JSON.stringify({ model: process.env.MODEL ?? 'qwen3', max_tokens: maxTokens, messages }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw new Error(`the model answered ${response.status}`)
  const { choices, usage } = (await response.json()) as Answer
  const counted = { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 }
  return { text: choices[0]?.message.content ?? '', usage: counted }
}
