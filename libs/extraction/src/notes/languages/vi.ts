import { counted, countsOf, mapOf, opening, setOf, words, type Lexicon } from './lexicon.js';

export const VI: Lexicon = {
  code: 'vi',
  stop: setOf(
    `là của và hay hoặc nhưng nếu vì thì mà ở tại từ đến cho với về trong ngoài trên dưới có không được bị đã đang sẽ rồi chưa cũng còn nữa này đó kia ấy đây các những một mỗi mọi tôi mình em anh chị ông bà cô chú bạn họ nó ta chúng ai gì nào đâu sao khi lúc bao nhiêu mấy rất lắm quá hơn nhất chỉ đi ra vào lên xuống lại cái con người thế nên để như theo`,
  ),
  idle: setOf(
    `dạ vâng ạ ừ ừm à ơi nhé nha nhỉ ok okê oke okay chào xin cảm ơn cám đúng phải rồi tốt tuyệt vời hay không có gì tạm biệt hẹn gặp lại được hiểu vui lòng giúp alo thôi xong`,
  ),
  smallTalk: words(
    `(?:có thể )?(?:giúp|hỗ trợ) (?:gì|được gì)|(?:cần|muốn) (?:\\p{L}+ ){0,3}(?:gì nữa|gì thêm|hỗ trợ)|gì (?:thêm|nữa|khác) không|chúc (?:anh|chị|bạn|quý khách)|cảm ơn (?:\\p{L}+ )?đã (?:gọi|liên hệ)|tạm biệt|hẹn gặp lại|(?:chờ|đợi) (?:\\p{L}+ )?(?:chút|tí|xíu|lát)|(?:một|1) (?:chút|lát|phút)|để (?:em|tôi|mình|anh|chị) (?:xem|kiểm tra|tìm|coi)|(?:em|tôi|mình|anh|chị) (?:vẫn )?(?:đang (?:chờ|đợi|xem|tìm|mở)|nghe đây)|nghe (?:rõ )?không`,
  ),
  asks: words(
    `(?:cho|vui lòng cho|xin cho) (?:em|tôi|mình|biết|hỏi|xin)|xin (?:\\p{L}+ )?(?:số|tên|địa chỉ|email|mã)|là gì|bao nhiêu|mấy|nào|đâu|khi nào|đọc (?:giúp|lại)?|xác nhận`,
  ),
  self: words(`tôi|mình|em|tui|tớ|cháu|con|anh|chị|chúng tôi|nhà (?:em|tôi|mình)`),
  wants: words(
    `muốn|cần|mong|đặt|tìm|hỏi|nhờ|giúp|gọi (?:để|vì)|bị (?:hỏng|lỗi|hư|mất)|không (?:hoạt động|dùng được|vào được|chạy)|khiếu nại|có thể|đăng ký|hủy|đổi`,
  ),
  prefers: words(
    `thích|ghét|yêu|mê|ưa|dị ứng|kiêng|không (?:ăn|uống|thích|chịu)|thường|luôn|ăn chay|tiểu đường|ưu tiên|khoái`,
  ),
  plans: words(`sẽ|định|dự định|sắp|tính|chuẩn bị|kế hoạch`),
  commits: words(
    `(?:em|tôi|bên em|chúng tôi|bên mình) (?:đã|sẽ|vừa)|đã (?:được )?(?:đặt|hủy|xác nhận|gửi|đổi|cập nhật|tạo|mở|ghi nhận|đăng ký|chuyển|hoàn|lên lịch|giữ)|sẽ (?:được )?(?:gọi|gửi|liên hệ|nhận|giao|hoàn|đến)|(?:mã|số) (?:hồ sơ|đơn|đặt|yêu cầu|vé|phiếu|xác nhận)`,
  ),
  instructs: words(
    `(?:vui lòng|nhớ|hãy|xin đừng|mang theo|mang)(?! (?:đợi|chờ|cho biết|xác nhận|cung cấp))|(?:anh|chị|cô|chú|bạn|mình) (?:cần|phải|nên|có thể)`,
  ),
  addresses: words(`anh|chị|bạn|quý khách|cô|chú|ông|bà`),
  agrees: opening(`dạ|vâng|đúng|phải|ừ|ừm|ok|oke|okê|được|đồng ý|có|chính xác|tốt|nhất trí`),
  denies: opening(`(?:dạ )?(?:không|chưa|chẳng|thôi)`),
  corrects: words(
    `à không|không cần|thôi khỏi|nhầm|đổi (?:lại|sang|thành)|thực ra|ý (?:tôi|em|mình) là|thay (?:vì|bằng|đổi)|sửa (?:lại|thành)|mới|bây giờ|hiện tại|(?:chuyển|dời) (?:lịch|sang|đến)`,
  ),
  another: words(`khác|cũng|nữa|thứ hai|thêm|phụ|cơ quan|công ty|khẩn cấp|trong tuần|cuối tuần|cũ|trước đây`),
  ofOther: words(
    `((?:vợ|chồng|con|con trai|con gái|mẹ|má|ba|bố|cha|anh trai|chị gái|em trai|em gái|bạn|sếp|bà|ông|bạn gái|bạn trai) (?:của )?(?:tôi|mình|em|anh|chị|tui|cháu))`,
  ),
  relativeDay: words(
    `hôm (?:nay|qua|kia|trước)|ngày (?:mai|mốt|kia)|mai|mốt|tối (?:nay|qua|mai)|sáng (?:nay|mai)|chiều (?:nay|mai)|trưa (?:nay|mai)|(?:tuần|tháng|năm) (?:này|sau|trước|tới|ngoái|rồi|qua)|cuối tuần(?: này| sau)?|thứ (?:hai|ba|tư|năm|sáu|bảy|[2-7])|chủ nhật|(?:\\p{L}+|\\d+) (?:ngày|tuần|tháng|năm) (?:trước|nữa|sau)|vừa (?:mới|qua)`,
  ),
  beforeName: words(
    `(?:tôi|em|mình|anh|chị|cháu|tui)(?: \\p{L}+)? tên(?: là)?|tên (?:tôi|em|mình|anh|chị|cháu)(?: là)?|họ tên(?: là)?|tên là`,
  ),
  beforeHome: words(
    `(?:tôi|em|mình|tui) (?:đang |hiện )?(?:sống|ở)(?: ở| tại)?(?= \\p{Lu})|(?:tôi|em|mình|tui|anh|chị|cô|chú|bác|nhà \\p{L}+) (?:đã |vừa )?(?:mới )?(?:chuyển|dọn) (?:đến|về|ra|vào|tới|sang|qua)`,
  ),
  numbers: {
    values: counted('không một/mốt hai ba bốn/tư năm/lăm sáu bảy/bẩy tám chín mười'),
    scales: countsOf('mươi=10 trăm=100 nghìn=1000 ngàn=1000'),
    longTens: [10],
    and: setOf('lẻ linh'),
    repeat: new Map(),
    counter: setOf('số con'),
    signs: mapOf(`gạch=- chấm=. phẩy=, còng=@ a-còng=@ cộng=+ xẹt=/`),
    asIn: /^(?:như)$/i,
  },
};
