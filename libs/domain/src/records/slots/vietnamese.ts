import { denied, slot, type SlotRule } from './slot-text.js';

const DAILY = '(?:đang |vẫn |hiện |đã |mới |vừa |vừa mới |rất |cũng ){0,4}';

export const VIETNAMESE: readonly SlotRule[] = [
  [
    new RegExp(`^(.{1,60}?) (?:không còn|không) (?:sống|ở) (?:ở|tại) (.{1,250})$`, 'iu'),
    (who = '', where = '') => denied(who, 'home', where),
  ],
  [
    new RegExp(`^(.{1,60}?) ${DAILY}(?:sống|sinh sống|cư trú) (?:ở|tại) (.{1,250})$`, 'iu'),
    (who = '', where = '') => slot(who, 'home', where),
  ],
  [
    new RegExp(`^(.{1,60}?) ${DAILY}(?:chuyển|dọn)(?: nhà)?(?: từ .{1,40}?)? (?:đến|tới|về|vào|ra) (.{1,250})$`, 'iu'),
    (who = '', where = '') => slot(who, 'home', where),
  ],
  [
    new RegExp(`^(.{1,60}?) (?:tên là|tên|họ tên là) (.{1,250})$`, 'iu'),
    (who = '', name = '') => slot(who, 'name', name),
  ],
  [new RegExp(`^(.{1,60}?) ${DAILY}(\\d{1,3}) tuổi`, 'iu'), (who = '', age = '') => slot(who, 'age', age)],
  [
    new RegExp(`^(.{1,60}?) ${DAILY}làm việc (?:ở|tại|cho) (.{1,250})$`, 'iu'),
    (who = '', where = '') => slot(who, 'employer', where),
  ],
  [new RegExp(`^(.{1,60}?) ${DAILY}(?:độc thân|ly hôn)`, 'iu'), (who = '') => slot(who, 'marital status', 'single')],
  [
    new RegExp(`^(.{1,60}?) ${DAILY}(?:kết hôn|lập gia đình|lấy vợ|lấy chồng)`, 'iu'),
    (who = '') => slot(who, 'marital status', 'married'),
  ],
  [
    new RegExp(`^(.{1,60}?) (?:không còn|không) (?:bị )?dị ứng(?: với)? (.{1,250})$`, 'iu'),
    (who = '', to = '') => denied(who, `allergy to ${to.toLowerCase()}`, 'yes'),
  ],
  [
    new RegExp(`^(.{1,60}?) ${DAILY}(?:bị )?dị ứng(?: với)? (.{1,250})$`, 'iu'),
    (who = '', to = '') => slot(who, `allergy to ${to.toLowerCase()}`, 'yes'),
  ],
  [
    new RegExp(
      `^(.{1,60}?) (?:không còn|không|chẳng|ghét) ?(?:thích|yêu|mê)? (?:uống |ăn )?(.{1,200}?)(?: nữa)?$`,
      'iu',
    ),
    (who = '', what = '') =>
      /^(?:có|biết|ăn|uống|làm|đi)/iu.test(what) ? null : slot(who, `attitude to ${what.toLowerCase()}`, 'dislikes'),
  ],
  [
    new RegExp(`^(.{1,60}?) ${DAILY}(?:thích|yêu|mê|ưa) (?:uống |ăn )?(.{1,250})$`, 'iu'),
    (who = '', what = '') => slot(who, `attitude to ${what.toLowerCase()}`, 'likes'),
  ],
];
