#pragma once
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace capstan::serve {

/// Limits for clients that have not said yet what they want.
struct WaitingLimits {
  std::chrono::milliseconds time{2000};  ///< from the connection to the end of the request
  std::size_t clients = 64;              ///< if there are more, the one that waits longest is sent away
  std::size_t bytes = 16 << 10;          ///< of a request; a longer one is ready when so much is there
  std::size_t body = 16 << 20;           ///< bytes; a larger one is refused, so it is not waited for
};

/// Connections stay here until their request has arrived, so that clients that send nothing, or a byte now
/// and then, keep no thread busy. One thread watches all of them.
class WaitingRoom {
 public:
  /// Called with a connection and what was read from it; the connection is then the callee's to close.
  using Ready = std::function<void(int socket, std::string received)>;

  explicit WaitingRoom(Ready ready, const WaitingLimits& limits = {});
  ~WaitingRoom();
  WaitingRoom(const WaitingRoom&) = delete;
  WaitingRoom& operator=(const WaitingRoom&) = delete;

  /// Takes over a connection; may be called from any thread.
  void enter(int socket);

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    int socket;
    std::string received;
    Clock::time_point deadline;
  };
  enum class State { waiting, ready, gone };

  void loop();
  std::vector<Client> take_newcomers(bool& stop);
  void admit(std::vector<Client> newcomers);
  void watch();
  State read_from(Client& client) const;
  void wake() const;

  const Ready ready_;
  const WaitingLimits limits_;
  std::vector<Client> clients_;  // of the thread alone, the one that waits longest first
  std::mutex mutex_;
  std::vector<Client> newcomers_;
  bool stop_ = false;
  int wake_[2] = {-1, -1};  // a pipe
  std::thread thread_;
};

/// Whether the text holds a whole request: its header, and as many bytes after it as the header announces,
/// unless these are more than `largest_body`.
bool is_whole_request(const std::string& text, std::size_t largest_body);

}  // namespace capstan::serve
