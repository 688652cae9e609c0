#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

/// The run in the browser: a web server for this machine alone.
namespace capstan::serve {

struct Reply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8", body;
};

/// Says without words that there is nothing of the kind: what a page asks for to find out is no error.
inline Reply nothing() { return {.status = 204, .type = "text/plain", .body = ""}; }

/// Bytes that are read when and where they are asked for.
struct Readable {
  std::string type;
  std::size_t size = 0;
  /// `count` bytes from `offset` on; fewer: the file has become shorter.
  std::function<std::string(std::size_t offset, std::size_t count)> read;
};

/// Listens on 127.0.0.1 only. Answers requests that name it by that name and come from its own page or from
/// no page at all, so that no other web page can read a run or drive a simulation; refuses what is too long,
/// gives up on clients that stop in the middle, and never looks a path up in the file system by itself.
class LoopbackServer {
 public:
  LoopbackServer();
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  /// Patterns are regular expressions over the whole path; handlers are called from several threads.
  void get(const std::string& pattern, std::function<Reply(const std::string& path)> handler);
  /// With ranges. An empty pointer: not found.
  void get_bytes(const std::string& pattern,
                 std::function<std::unique_ptr<Readable>(const std::string& path)> handler);
  /// A body of at most `most` bytes and of the named type.
  void post(const std::string& pattern, const std::string& type, std::size_t most,
            std::function<Reply(const std::string& body)> handler);
  /// Server-sent events: `next` waits for the next event and returns its text, or an empty one after a while
  /// with nothing to say. Each client has its own.
  void get_events(const std::string& pattern, std::function<std::function<std::string()>()> subscribe);

  /// Binds and starts to answer, in threads of its own. Port 0: any free one. InputError if it is taken.
  void start(int port);
  void stop();
  int port() const;
  std::string url() const;  ///< of the page

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace capstan::serve
