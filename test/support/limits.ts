/** Settings that turn rate limits off. */
export const NO_RATE_LIMITS = {
  BOT_RATE_LIMIT: '0',
  VISITOR_RATE_LIMIT: '0',
  AGENT_RATE_LIMIT: '0',
  WRONG_TOKEN_LIMIT: '0',
  NEW_VISITOR_LIMIT: '0',
};
