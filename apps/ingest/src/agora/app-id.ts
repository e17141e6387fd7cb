import type { PipeTransform } from '@nestjs/common';
import { parseOrRefuse, PATH_PARAMETERS } from '@turnkeeper/contracts';

/** The project id, validated as at registration. */
export const APP_ID: PipeTransform = {
  transform: (value: unknown) => parseOrRefuse('appid', PATH_PARAMETERS.appId, value),
};
