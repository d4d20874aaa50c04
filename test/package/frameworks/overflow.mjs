/** The characters that the provider takes. */
const MOST_CHARACTERS = 60_000

let refused = 0
let most = 0

/** Throws as OpenAI does when a request is too large. */
export function refuse(text) {
  if (text.length > MOST_CHARACTERS) {
    refused++
    const said = `This model's maximum context length is ${MOST_CHARACTERS / 4} tokens.`
    const message = `${said} However, your messages resulted in ${Math.ceil(text.length / 4)} tokens.`
    throw Object.assign(new Error(message), { status: 400, statusCode: 400, isRetryable: false })
  }
  most = Math.max(most, text.length)
}

/** How many requests were refused, and the largest that was not. */
export function asked() {
  return { refused, most }
}
