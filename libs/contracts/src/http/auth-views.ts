import { z } from 'zod';

/** What a console needs to sign a user in with the authorization code flow and PKCE, which needs no secret. */
export const authConfigView = z
  .object({
    oidc: z
      .object({
        issuer: z.string().describe('Its endpoints are listed at `<issuer>/.well-known/openid-configuration`.'),
        clientId: z.string().nullable().describe('Null if no client is registered for a console.'),
        audience: z.string().nullable().describe('Required audience of the tokens.'),
        scopes: z.array(z.string()).describe('Scopes to request from the issuer.'),
      })
      .nullable()
      .describe('Null if no issuer is configured (API keys only).'),
  })
  .meta({ id: 'AuthConfig' });
export type AuthConfig = z.infer<typeof authConfigView>;

/** Path of the token endpoint of AgentBase's IAM, so that its clients change only the host. */
export const TOKEN_PATH = '/accounts-api/v2/auth/token';

export const issueTokenBody = z.looseObject({
  grant_type: z.literal('client_credentials'),
  scope: z.string().optional().describe('Ignored: a token has the scopes of its key.'),
});

export const issuedTokenView = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  scope: z.string().describe('The scopes of the key, separated by spaces.'),
});
export type IssuedToken = z.infer<typeof issuedTokenView>;

/** RFC 6749, 5.2. */
export const tokenErrorView = z.object({ error: z.string(), error_description: z.string() }).meta({ id: 'TokenError' });

/** What the caller's key or token allows, so that a console shows no action that would be refused. */
export const callerView = z
  .object({
    tenantId: z.string(),
    keyId: z.string().describe("The key's id, or the token's subject."),
    scopes: z.array(z.string()).readonly(),
    allows: z
      .array(z.string())
      .readonly()
      .describe('The scopes of the routes that they allow, which narrower and broader ones can allow too.'),
    memoryId: z.string().nullable().describe('The memory that the key is limited to; null: no limit.'),
    actorId: z.string().nullable().describe('The actor that the key is limited to; null: no limit.'),
  })
  .meta({ id: 'Caller' });
export type CallerView = z.input<typeof callerView>;
