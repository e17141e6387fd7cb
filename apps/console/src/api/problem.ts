/** RFC 9457, with the service's own fields. */
export interface ProblemBody {
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
  readonly field?: string;
  readonly rule?: string;
  readonly next?: string;
  readonly requestId?: string;
  readonly issues?: readonly { readonly field: string; readonly rule: string }[];
}

/** An error response of the API. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
  ) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
    this.name = 'ApiProblem';
  }

  /** What the API says about one field of the request, null if it accepts it. */
  ruleFor(field: string): string | null {
    const issue = this.body.issues?.find((each) => each.field === field);
    if (issue !== undefined) return issue.rule;
    return this.body.field === field ? (this.body.rule ?? this.message) : null;
  }
}

export const problemOf = (error: unknown): ApiProblem | null => (error instanceof ApiProblem ? error : null);
