/** One way in which a provider says that the requested answer is too long. */
export type OutputRow = {
  readonly provider: string
  /** A real message: the body of an HTTP 400. */
  readonly sample: string
  /** Matches the message. */
  readonly says: RegExp
  /** Finds the longest answer of the model … */
  readonly most?: RegExp
  /** … or the first length that is too long … */
  readonly tooLong?: RegExp
  /** … or the window and the size of this request, which leave the rest for the answer. */
  readonly window?: RegExp
  readonly tokens?: RegExp
}

/** The messages of providers. The first row that matches counts. */
export const OUTPUT_ROWS: readonly OutputRow[] = [
  {
    provider: 'anthropic',
    sample:
      '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5"}}',
    says: /maximum allowed number of output tokens/i,
    most: /> (\d+), which/,
  },
  {
    provider: 'openai',
    sample:
      '{"error":{"message":"max_tokens is too large: 125450. This model supports at most 4096 completion tokens, whereas you provided 125450.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}',
    says: /supports at most \d+ completion tokens/i,
    most: /at most (\d+) completion tokens/i,
  },
  {
    provider: 'openai',
    sample:
      '{"error":{"message":"Invalid \'max_output_tokens\': integer above maximum value. Expected a value <= 16384, but got 125450 instead.","type":"invalid_request_error","param":"max_output_tokens","code":"integer_above_max_value"}}',
    says: /Invalid 'max_(?:output_|completion_)?tokens'.*above maximum/i,
    most: /<= (\d+)/,
  },
  {
    provider: 'google',
    sample:
      '{"error":{"code":400,"message":"Unable to submit request because it has a maxOutputTokens value of 1046026 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.","status":"INVALID_ARGUMENT"}}',
    says: /maxOutputTokens value of \d+ but the supported range/i,
    tooLong: /to (\d+) \(exclusive\)/i,
  },
  {
    provider: 'groq',
    sample:
      '{"error":{"message":"`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model","type":"invalid_request_error","param":"max_tokens"}}',
    says: /`max_(?:completion_)?tokens` must be less than or equal to/i,
    most: /less than or equal to `(\d+)`/i,
  },
  {
    provider: 'deepseek',
    sample:
      '{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    says: /valid range of max_tokens is/i,
    most: /\[\d+, ?(\d+)\]/,
  },
  {
    provider: 'vllm',
    sample:
      '{"object":"error","message":"\'max_tokens\' or \'max_completion_tokens\' is too large: 29438. This model\'s maximum context length is 32000 tokens and your request has 2613 input tokens (29438 > 32000 - 2613).","type":"BadRequestError","param":null,"code":400}',
    says: /max_completion_tokens' is too large/i,
    window: /maximum context length is (\d+)/i,
    tokens: /has (\d+) input tokens/i,
  },
]
